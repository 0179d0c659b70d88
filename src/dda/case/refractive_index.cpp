// The refractive index as users write it.
#include <fmt/format.h>

#include <filesystem>

#include "core/error.hpp"
#include "core/text.hpp"
#include "dda/case/case.hpp"
#include "materials/library.hpp"

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
    throw ValueError(
        fmt::format("has {} where a number should be ({}){}", describe(list[0]), forms, sweep_hint(value)));
  const cplx m(read_number(list[0], {}), list.size() == 2 ? read_number(list[1], {}) : 0.0);
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
    throw ValueError(fmt::format("has {} components ({}){}", list.size(), forms, sweep_hint(value)));
  const cplx m = read_component(value);
  return {m, m, m};
}

std::string write_component(cplx m) {
  return fmt::format("[{}, {}]", shortest(m.real()), shortest(m.imag()));
}

bool is_file(const std::string& name) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(name, ignored);
}

/// A name of the library. Throws ValueError.
std::string read_name(const std::string& name, const char* otherwise) {
  try {
    materials::find(name);
  } catch (const BadInput& e) {
    const std::string why = e.what();  // PROBLEM (WHY); SUGGESTION
    throw ValueError(
        fmt::format("'{}' is no {}; {}", shortened(name), otherwise, why.substr(why.rfind("); ") + 3)));
  }
  return name;
}

MaterialRequest::Index read_material(const Value& value) {
  const auto* text = std::get_if<std::string>(&value.data);
  if (!text) return {read_index(value), ""};
  if (is_file(*text)) return {{}, *text};
  if (!std::holds_alternative<std::string>(parse_nested(*text).data)) return {read_index(value), ""};
  read_name(*text, fmt::format("refractive index, file or name of a material ({})", forms).c_str());
  return {{}, *text};
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
          false,
          false,
          schema::any_of({schema::number({}), schema::text(), schema::list("", 1)})};
}

Codec<MaterialRequest::Index> material_index() {
  const auto index = refractive_index();
  return {read_material,
          [](const std::string& text) { return is_file(text) ? Value{text} : parse_nested(text); },
          [write = index.write](const MaterialRequest::Index& i) {
            return i.m ? write(*i.m) : i.word.empty() ? "" : quoted(i.word);
          },
          index.values,
          index.metavar + " | NAME | FILE",
          false,
          false,
          index.schema};
}

Codec<std::string> medium_index() {
  return {[](const Value& v) {
            if (const auto* name = std::get_if<std::string>(&v.data); name && sweep_hint(v).empty())
              return parse_number(*name) ? shortest(read_number(parse_scalar(*name), Range::above(0)))
                                         : read_name(*name, "refractive index or name of a material");
            return shortest(read_number(v, Range::above(0)));
          },
          parse_scalar,
          [](const std::string& medium) { return parse_number(medium) ? medium : quoted(medium); },
          "> 0, or a name",
          "X | NAME",
          false,
          false,
          schema::any_of({schema::number(Range::above(0)), schema::text()})};
}

}  // namespace umov::dda
