// The codecs of parameters: how each type is read, written and told in the help.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/text.hpp"
#include "parameters/value.hpp"

namespace umov {

Codec<double> number(Range range) {
  return {[range](const Value& v) { return read_number(v, range); },
          parse_scalar,
          [](const double& x) { return shortest(x); },
          range.text(),
          "X",
          false,
          false,
          schema::number(range)};
}

Codec<std::optional<double>> optional_number(Range range) {
  return {[range](const Value& v) { return std::optional<double>(read_number(v, range)); },
          parse_scalar,
          [](const std::optional<double>& x) { return x ? shortest(*x) : std::string(); },
          range.text(),
          "X",
          false,
          false,
          schema::number(range)};
}

Codec<long long> integer_codec(Range range) {
  return {[range](const Value& v) { return read_integer(v, range); },
          parse_scalar,
          [](const long long& x) { return fmt::format("{}", x); },
          range.text(),
          "N",
          false,
          false,
          schema::whole_number(range)};
}

Codec<bool> boolean() {
  return {[](const Value& v) {
            if (const auto* b = std::get_if<bool>(&v.data)) return *b;
            throw ValueError(fmt::format("wants true or false, not {}", describe(v)));
          },
          [](const std::string& t) {
            if (t == "true") return Value{true};
            if (t == "false") return Value{false};
            return Value{t};
          },
          [](const bool& b) { return std::string(b ? "true" : "false"); },
          "true, false",
          "",
          true,
          false,
          schema::truth()};
}

Codec<std::string> text(std::string metavar) {
  return {[](const Value& v) {
            if (const auto* s = std::get_if<std::string>(&v.data)) return *s;
            throw ValueError(fmt::format("wants a text in quotes, not {}{}", describe(v), sweep_hint(v)));
          },
          [](const std::string& t) { return Value{t}; },
          [](const std::string& t) { return quoted(t); },
          "",
          std::move(metavar),
          false,
          false,
          schema::text()};
}

Codec<std::string> path(std::string metavar) {
  Codec<std::string> codec = text(std::move(metavar));
  codec.write = [](const std::string& t) {
    return quoted(t.empty() ? t : std::filesystem::absolute(t).lexically_normal().string());
  };
  codec.is_path = true;
  return codec;
}

Codec<std::vector<double>> numbers(Range range) {
  return {[range](const Value& v) {
            std::vector<double> out;
            for (const Value& item : read_list(v)) out.push_back(read_number(item, range));
            return out;
          },
          parse_nested,
          [](const std::vector<double>& list) {
            std::vector<std::string> words;
            for (const double x : list) words.push_back(shortest(x));
            return bracketed(words);
          },
          range.text(),
          "X,X,...",
          false,
          false,
          schema::any_of({schema::number(range), schema::list(schema::number(range))})};
}

Codec<Vec3> vector3(Range range) {
  return {
      [range](const Value& v) {
        const auto list = read_list(v);
        if (const std::string hint = sweep_hint(v, true); list.size() != 3 || !hint.empty())
          throw ValueError(fmt::format("wants three numbers x, y, z, not {}{}", describe(v), hint));
        return Vec3{read_number(list[0], range), read_number(list[1], range), read_number(list[2], range)};
      },
      parse_nested,
      [](const Vec3& x) {
        return bracketed({shortest(x[0]), shortest(x[1]), shortest(x[2])});
      },
      range.text(),
      "X,Y,Z",
      false,
      false,
      schema::list(schema::number(range), 3, 3)};
}

namespace {

/// A coordinate that may be without end: inf, or the text "inf".
double read_extent(const Value& value, const Range& range, bool infinite) {
  const auto* word = std::get_if<std::string>(&value.data);
  const auto* x = std::get_if<double>(&value.data);
  if (infinite && ((word && *word == "inf") || (x && std::isinf(*x) && *x > 0)))
    return std::numeric_limits<double>::infinity();
  return read_number(value, range);
}

}  // namespace

Codec<Vec3> extents(Range range, bool infinite, double missing) {
  std::string coordinate = schema::number(range);
  if (infinite) coordinate = schema::any_of({coordinate, schema::words({"inf"})});
  return {[=](const Value& v) {
            const auto list = read_list(v);
            if (list.empty() || list.size() > 3)
              throw ValueError(fmt::format("wants one, two or three numbers, not {}", describe(v)));
            Vec3 out{missing, missing, missing};
            for (std::size_t i = 0; i < list.size(); ++i) out[i] = read_extent(list[i], range, infinite);
            return out;
          },
          parse_nested,
          [missing](const Vec3& x) {
            std::vector<std::string> words;
            for (const double value : x) words.push_back(std::isinf(value) ? "inf" : shortest(value));
            for (int axis = 2; axis > 0 && x[axis] == missing; --axis) words.pop_back();
            return bracketed(words);
          },
          range.text() +
              (infinite ? (range.text().empty() ? "inf for all there is" : "; inf for all there is") : ""),
          "X,Y,Z",
          false,
          false,
          schema::any_of({coordinate, schema::list(coordinate, 1, 3)})};
}

Codec<Vec3> diagonal(Range range) {
  Codec<Vec3> codec = vector3(range);
  codec.read = [range, three = codec.read](const Value& v) {
    if (std::holds_alternative<std::vector<Value>>(v.data)) return three(v);
    const double x = read_number(v, range);
    return Vec3{x, x, x};
  };
  codec.schema = schema::any_of({schema::number(range), codec.schema});
  codec.write = [three = codec.write](const Vec3& x) {
    return x[0] == x[1] && x[1] == x[2] ? shortest(x[0]) : three(x);
  };
  return codec;
}

Codec<Int3> cell() {
  return {[](const Value& v) {
            const auto list = read_list(v);
            if (list.size() != 2 && list.size() != 3)
              throw ValueError(fmt::format("wants two or three whole numbers, not {}", describe(v)));
            Int3 out{0, 0, 0};
            for (std::size_t i = 0; i < list.size(); ++i)
              out[i] = static_cast<int>(read_integer(list[i], Range::between(0, 1 << 30)));
            return out;
          },
          parse_nested,
          [](const Int3& n) { return fmt::format("[{}, {}, {}]", n[0], n[1], n[2]); },
          "",
          "I,J,K",
          false,
          false,
          schema::list(schema::whole_number(Range::between(0, 1 << 30)), 2, 3)};
}

Codec<Int3> grid3(bool first_only) {
  const Range range = Range::between(0, 1 << 20);
  return {[range, first_only](const Value& v) {
            const auto list = read_list(v);
            if (list.size() != 1 && list.size() != 3)
              throw ValueError(
                  fmt::format("wants one whole number or three, not {}{}", describe(v), sweep_hint(v)));
            Int3 out{0, 0, 0};
            for (std::size_t i = 0; i < list.size(); ++i)
              out[i] = static_cast<int>(read_integer(list[i], range));
            if (list.size() == 1 && !first_only) out[1] = out[2] = out[0];
            return out;
          },
          [](const std::string& t) {
            std::string commas = t;
            std::replace(commas.begin(), commas.end(), 'x', ',');
            return parse_nested(commas);
          },
          [](const Int3& n) {
            return n == Int3{0, 0, 0} ? std::string() : fmt::format("[{}, {}, {}]", n[0], n[1], n[2]);
          },
          ">= 0",
          "N or NX,NY,NZ",
          false,
          false,
          schema::any_of({schema::whole_number(range), schema::list(schema::whole_number(range), 1, 3)})};
}

Codec<double> duration() {
  return {[](const Value& v) {
            const auto* s = std::get_if<std::string>(&v.data);
            if (!s || s->empty()) return read_number(v, Range::at_least(0));
            static const std::string units = "smhd";
            static constexpr double seconds[] = {1, 60, 3600, 86400};
            const auto unit = units.find(s->back());
            if (unit == std::string::npos) return read_number(v, Range::at_least(0));
            return seconds[unit] * read_number(parse_scalar(s->substr(0, s->size() - 1)), Range::at_least(0));
          },
          parse_scalar,
          [](const double& x) { return shortest(x); },
          ">= 0; 90, \"15m\", \"2h\", \"1d\"",
          "TIME",
          false,
          false,
          schema::any_of({schema::number(Range::at_least(0)), schema::text()})};
}

Codec<std::string> word_of(std::function<std::vector<std::string>()> words) {
  return {[words](const Value& v) { return read_choice(v, words()); },
          [](const std::string& t) { return Value{t}; },
          [](const std::string& t) { return t.empty() ? t : quoted(t); },  // none of the words: not set
          join(words(), ", "),
          "NAME",
          false,
          false,
          schema::words(words())};
}

}  // namespace umov
