// Conversions of an option's arguments, with errors that name the option.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/text.hpp"
#include "dda/adda/options.hpp"

namespace umov::dda::adda {

void Arguments::fail(const std::string& why) const {
  throw BadInput(fmt::format("adda: option -{}: {}; see umov adda -h {}", name_, why, name_));
}

void Arguments::unknown_word(const std::string& word, const std::vector<std::string>& known) const {
  const std::string hint = did_you_mean(word, known);
  fail(fmt::format("unknown argument '{}' (known: {}){}{}", word, join(known, ", "), hint.empty() ? "" : "; ",
                   hint));
}

void Arguments::expect(std::size_t first, std::size_t last, const std::string& what) const {
  if (size() < first || size() > last) fail(fmt::format("{} argument(s) given ({} expected)", size(), what));
}

double Arguments::number(std::size_t i) const {
  const auto value = parse_number(values_[i]);
  if (!value) fail(fmt::format("'{}' is not a finite number", values_[i]));
  return *value;
}

double Arguments::positive(std::size_t i) const {
  const double value = number(i);
  if (!(value > 0)) fail(fmt::format("{} is not allowed (must be positive)", values_[i]));
  return value;
}

double Arguments::nonnegative(std::size_t i) const {
  const double value = number(i);
  if (!(value >= 0)) fail(fmt::format("{} is not allowed (must not be negative)", values_[i]));
  return value;
}

double Arguments::in_range(std::size_t i, double least, double most) const {
  const double value = number(i);
  if (value < least || value > most) {
    fail(fmt::format("{} is not allowed (must be from {:g} to {:g})", values_[i], least, most));
  }
  return value;
}

int Arguments::integer(std::size_t i, int least, int most) const {
  const double value = number(i);
  if (value != std::floor(value)) fail(fmt::format("{} is not an integer", values_[i]));
  if (value < least || value > most) {
    const bool open = most == std::numeric_limits<int>::max();
    fail(fmt::format("{} is not allowed (must be {})", values_[i],
                     open ? fmt::format("at least {}", least) : fmt::format("from {} to {}", least, most)));
  }
  return int(value);
}

double Arguments::fraction(std::size_t i, double most) const {
  const std::string& text = values_[i];
  const bool percent = text.ends_with('%');
  const auto value = parse_number(percent ? text.substr(0, text.size() - 1) : text);
  if (!value) fail(fmt::format("'{}' is no fraction; give e.g. 1% or 0.01", text));
  const double x = percent ? *value / 100 : *value;
  if (!(x > 0 && x <= most))
    fail(fmt::format("{} is not allowed (above 0, at most {:g}); give e.g. 1% or 0.01", text, most));
  return x;
}

Vec3 Arguments::vector(std::size_t i) const { return {number(i), number(i + 1), number(i + 2)}; }

std::string Arguments::file(std::size_t i) const {
  if (values_[i].empty()) fail("empty file name");
  return values_[i];
}

}  // namespace umov::dda::adda
