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
  values.push_back(from);
  // Weighted ends: no rounding adds up on the way.
  for (long long i = 1; i + 1 < n; ++i)
    values.push_back(of_fifteen_digits((double(n - 1 - i) * from + double(i) * to) / double(n - 1)));
  if (n > 1) values.push_back(to);
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
          false,
          false,
          schema::number(range)};
}

GivenList read_each(const Value& v, bool of_lists, const Literal& literal, bool& several) {
  GivenList out;
  if (of_lists) {
    const auto is_list = [](const Value& item) {
      return std::holds_alternative<std::vector<Value>>(item.data);
    };
    out.values = read_list(v);
    if (out.values.empty()) throw ValueError("is an empty list (wanted: x, y, z, or a list of these)");
    if (!std::ranges::all_of(out.values, is_list)) out.values = {v};
    several = out.values.size() > 1;
  } else {
    const NumberList numbers = number_list().read(v);
    for (const double x : numbers.values) out.values.emplace_back(x);
    out.range = numbers.range;
    several = numbers.is_list;
  }
  std::vector<std::string> literals;
  for (const Value& value : out.values) {
    literals.push_back(literal(value));
    if (of_lists && std::ranges::count(literals, literals.back()) > 1)
      throw ValueError("has a vector twice (each is computed once); leave one out");
  }
  return out;
}

std::string toml_of(const GivenList& list, const Literal& literal) {
  std::vector<std::string> words;
  for (const Value& value : list.values) words.push_back(literal(value));
  return list.range.empty() ? "[" + join(words, ", ") + "]" : quoted(list.range);
}

}  // namespace umov
