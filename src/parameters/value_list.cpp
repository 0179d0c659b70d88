#include "parameters/value_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"

namespace umov {

namespace {

constexpr long long most_values = 100000;
constexpr const char* forms = "wanted: a number, a list [x, y, ...] or a text \"from:to:count\"";

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw ValueError(fmt::format("is the range '{}' ({})", shortened(text), why));
}

std::vector<double> values_of(const std::string& text, const Range& range) {
  const auto parts = split(text, ':');
  if (parts.size() == 1)
    throw ValueError(fmt::format("wants a number, not the text '{}' ({})", shortened(text), forms));
  if (parts.size() != 3) refuse(text, fmt::format("it has {} parts; {}", parts.size(), forms));
  const double from = read_number(parse_scalar(std::string(trim(parts[0]))), range);
  const double to = read_number(parse_scalar(std::string(trim(parts[1]))), range);
  const Value counted = parse_scalar(std::string(trim(parts[2])));
  if (!std::holds_alternative<long long>(counted.data))
    refuse(text, fmt::format("its count is {}; give a whole number, e.g. {}:{}:11", describe(counted),
                             shortest(from), shortest(to)));
  const long long n = std::get<long long>(counted.data);
  if (n < 1) refuse(text, fmt::format("{} values are none to compute; give a count of at least 2", n));
  if (n > most_values) refuse(text, fmt::format("{} values are more than {}; give fewer", n, most_values));
  if (n == 1 && from != to)
    refuse(text, "one value cannot be both ends; give the number alone, or a count of at least 2");
  if (n > 1 && from == to) refuse(text, fmt::format("all {} values are the same; give the number alone", n));
  std::vector<double> values;
  // Weighted ends: both are exact, and no rounding adds up on the way.
  for (long long i = 0; i < n; ++i)
    values.push_back(n == 1 ? from : (double(n - 1 - i) * from + double(i) * to) / double(n - 1));
  return values;
}

}  // namespace

Codec<NumberList> number_list(Range range) {
  return {[range](const Value& v) {
            NumberList out;
            if (const auto* text = std::get_if<std::string>(&v.data)) {
              out.values = values_of(*text, range);
              out.range = std::string(trim(*text));
              out.is_list = true;
              return out;
            }
            out.is_list = std::holds_alternative<std::vector<Value>>(v.data);
            out.values.clear();
            for (const Value& item : read_list(v)) {
              const double x = read_number(item, range);
              if (std::find(out.values.begin(), out.values.end(), x) != out.values.end())
                throw ValueError(
                    fmt::format("has {} twice (each value is computed once); leave one out", shortest(x)));
              out.values.push_back(x);
            }
            if (out.values.empty()) throw ValueError(fmt::format("is an empty list ({})", forms));
            return out;
          },
          parse_nested,
          [](const NumberList& list) {
            if (!list.range.empty()) return quoted(list.range);
            std::vector<std::string> words;
            for (const double x : list.values) words.push_back(shortest(x));
            return list.is_list ? "[" + join(words, ", ") + "]" : words.front();
          },
          range.text(),
          "X | X,X,... | FROM:TO:COUNT",
          false};
}

Codec<std::vector<Vec3>> vector_list() {
  const Codec<Vec3> one = vector3();
  const auto is_list = [](const Value& v) { return std::holds_alternative<std::vector<Value>>(v.data); };
  return {[one, is_list](const Value& v) {
            const auto items = read_list(v);
            std::vector<Vec3> out;
            if (items.empty()) throw ValueError("is an empty list (wanted: x, y, z, or a list of these)");
            if (!std::all_of(items.begin(), items.end(), is_list)) return std::vector<Vec3>{one.read(v)};
            for (const Value& item : items) {
              out.push_back(one.read(item));
              if (std::count(out.begin(), out.end(), out.back()) > 1)
                throw ValueError("has a vector twice (each is computed once); leave one out");
            }
            return out;
          },
          parse_nested,
          [one](const std::vector<Vec3>& list) {
            if (list.size() == 1) return one.write(list.front());
            std::vector<std::string> words;
            for (const Vec3& v : list) words.push_back(one.write(v));
            return "[" + join(words, ", ") + "]";
          },
          "",
          "X,Y,Z | (X,Y,Z),(X,Y,Z),...",
          false};
}

}  // namespace umov
