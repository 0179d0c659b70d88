// Numbers as OpenDDA's files have them: ranges, lists, and complex ones whose parts stand side by side.
#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"
#include "dda/opendda/entry.hpp"
#include "parameters/columns.hpp"

namespace umov::dda::opendda {

namespace {

constexpr std::size_t most_values = 100000;  // of one list, as in a case of `umov dda`

/// Characters of the number without a sign that a text begins with.
std::size_t length_of_number(std::string_view text) {
  std::size_t n = 1;
  const auto exponent = [&](std::size_t at) { return text[at] == 'e' || text[at] == 'E'; };
  while (n < text.size() &&
         (std::string_view("0123456789.").find(text[n]) != std::string_view::npos ||
          (exponent(n) && n + 1 < text.size()) || ((text[n] == '-' || text[n] == '+') && exponent(n - 1))))
    ++n;
  return n;
}

}  // namespace

void refuse(const std::string& place, const std::string& text) { throw BadInput(place + ": " + text); }

std::string_view without_remark(std::string_view line) { return trim(line.substr(0, line.find('#'))); }

std::vector<std::string> parts_of(const Entry& e) {
  std::vector<std::string> out;
  for (const auto& part : split(e.value, ',')) out.emplace_back(trim(part));
  return out;
}

double number(const Entry& e, const std::string& text) {
  if (const auto x = parse_number(text)) return *x;
  refuse(e.place, fmt::format("'{}' in \"{}=\" is not a number; correct it", shortened(text), e.key));
}

void check_values(const Sweep& s, const std::string& what, Values kind) {
  for (std::size_t i = 0; i < s.values.size(); ++i) {
    const double x = s.values[i];
    if (kind == Values::positive && !(x > 0)) refuse(s.place, fmt::format("{} {} must be positive", what, x));
    if (kind == Values::not_negative && !(x >= 0))
      refuse(s.place, fmt::format("{} {} must not be negative", what, x));
    if (kind == Values::cosines && std::abs(x) > 1)
      refuse(s.place,
             fmt::format("{} {} is no cosine (Euler theta is given as cos(theta), from -1 to 1)", what, x));
    if (i > 0 && !(x > s.values[i - 1]))
      refuse(s.place, fmt::format("{} must increase from value to value", what));
  }
}

/// minimum,increment,maximum. OpenDDA takes int((max - min)/inc + 1) values, of which rounding may cost the
/// last; here the last is the maximum where it is meant to be.
Sweep range_of(const Entry& e) {
  const auto parts = parts_of(e);
  if (parts.size() != 3)
    refuse(e.place, fmt::format("\"{}=\" needs minimum,increment,maximum, not '{}'; for one value give "
                                "'x,0.0,x'",
                                e.key, shortened(e.value)));
  Sweep s;
  s.place = e.place;
  s.minimum = number(e, parts[0]);
  s.increment = number(e, parts[1]);
  s.maximum = number(e, parts[2]);
  if (s.increment < 0 || s.minimum > s.maximum)
    refuse(e.place, fmt::format("\"{}=\" runs backwards; give minimum,increment,maximum", e.key));
  if (s.increment == 0 && s.minimum != s.maximum)
    refuse(e.place,
           fmt::format("\"{}=\" has the increment 0 between {} and {}, which would be the first alone; give "
                       "an increment, or '{},0.0,{}' for one value",
                       e.key, parts[0], parts[2], parts[0], parts[0]));
  constexpr double rounding = 1e-9;
  if (s.increment > (s.maximum - s.minimum) * (1 + rounding) && s.minimum != s.maximum)
    refuse(e.place,
           fmt::format("\"{}=\" has an increment of {} in a range of {:g}, which would be its first value "
                       "alone; give a smaller one, or '{},0.0,{}' for one value",
                       e.key, parts[1], s.maximum - s.minimum, parts[0], parts[0]));
  const double steps = s.increment > 0 ? std::floor((s.maximum - s.minimum) / s.increment + rounding) : 0;
  if (!(steps < double(most_values)))
    refuse(e.place,
           fmt::format("\"{}=\" has more than {} values; take a larger increment", e.key, most_values));
  for (std::size_t i = 0; i <= std::size_t(steps); ++i)
    s.values.push_back(of_fifteen_digits(s.minimum + double(i) * s.increment));
  return s;
}

bool Numbers::has_stray_unit(std::size_t first) const {
  for (std::size_t i = 0; i < imaginary.size(); ++i)
    if (imaginary[i] && (i < first || (i - first) % 2 == 0)) return true;
  return false;
}

Numbers numbers_in(std::string_view text) {
  Numbers out;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const bool begins = (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+';
    if (!begins) {
      // anything that is not white, a separator or the imaginary unit is no number
      if (std::string_view(" \t,()[]{}'\"iI").find(c) == std::string_view::npos) return {};
      if (c == 'i' || c == 'I') {
        if (out.values.empty() || out.imaginary.back()) return {};
        out.imaginary.back() = true;
      }
      ++i;
      continue;
    }
    const bool negative = c == '-';
    if (negative || c == '+') {
      i = text.find_first_not_of(" \t", i + 1);  // blanks may part a sign from its number
      if (i == text.npos || std::string_view("0123456789.").find(text[i]) == std::string_view::npos)
        return {};
    }
    const std::size_t n = length_of_number(text.substr(i));
    const auto x = parse_number(text.substr(i, n));
    if (!x) return {};
    out.values.push_back(negative ? -*x : *x);
    out.imaginary.push_back(false);
    i += n;
  }
  return out;
}

std::vector<double> read_list(const std::string& path) {
  std::vector<double> out;
  const auto lines = read_lines(path, "list of values");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto text = without_remark(lines[i]);
    if (text.empty()) continue;
    const auto x = parse_number(text);
    if (!x) refuse(fmt::format("{}:{}", path, i + 1), fmt::format("'{}' is not a number", shortened(text)));
    out.push_back(*x);
    if (out.size() > most_values) refuse(path, fmt::format("more than {} values", most_values));
  }
  if (out.empty()) throw BadInput(path + ": no value in it; give one a line, or remove the file");
  return out;
}

}  // namespace umov::dda::opendda
