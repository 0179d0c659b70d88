// The refractive index as users write it.
#include <fmt/format.h>

#include "core/text.hpp"
#include "dda/case/case.hpp"

namespace umov::dda {

namespace {

constexpr const char* forms = "wanted: re | re,im | (re,im) | ((re,im),(re,im),(re,im))";

bool is_list(const Value& v) { return std::holds_alternative<std::vector<Value>>(v.data); }

cplx read_component(const Value& value) {
  const auto list = read_list(value);
  if (list.size() == 1 && is_list(list[0])) return read_component(list[0]);
  if (list.empty() || list.size() > 2)
    throw ValueError(fmt::format("has {} as a component ({})", describe(value), forms));
  if (std::holds_alternative<std::string>(list[0].data) || is_list(list[0]))
    throw ValueError(fmt::format("has {} where a number should be ({})", describe(list[0]), forms));
  const cplx m(read_number(list[0], {}), list.size() == 2 ? read_number(list[1], {}) : 0.0);
  if (m == cplx(1))
    throw ValueError(
        "has a refractive index of exactly 1 (vacuum does not scatter: its polarizability is zero); "
        "leave those sites empty or give another m");
  if (m == cplx(0)) throw ValueError("has a refractive index of 0 (no such material); give another m");
  return m;
}

CVec3 read_index(const Value& value) {
  if (const auto* s = std::get_if<std::string>(&value.data)) {
    const Value parsed = parse_nested(*s);
    if (std::holds_alternative<std::string>(parsed.data))
      throw ValueError(fmt::format("'{}' is no refractive index ({})", *s, forms));
    return read_index(parsed);
  }
  const auto list = read_list(value);
  if (list.size() == 1 && is_list(list[0])) return read_index(list[0]);
  if (list.size() == 3) return {read_component(list[0]), read_component(list[1]), read_component(list[2])};
  if (list.size() > 3 || list.empty())
    throw ValueError(fmt::format("has {} components ({})", list.size(), forms));
  const cplx m = read_component(value);
  return {m, m, m};
}

std::string write_component(cplx m) {
  return fmt::format("[{}, {}]", shortest(m.real()), shortest(m.imag()));
}

}  // namespace

Codec<CVec3> refractive_index() {
  return {read_index,
          parse_nested,
          [](const CVec3& m) {
            if (m[0] == m[1] && m[1] == m[2]) return write_component(m[0]);
            return fmt::format("[{}, {}, {}]", write_component(m[0]), write_component(m[1]),
                               write_component(m[2]));
          },
          "not 1",
          "RE | RE,IM | ((RE,IM),(RE,IM),(RE,IM))",
          false};
}

}  // namespace umov::dda
