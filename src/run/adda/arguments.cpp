// Conversions of an option's arguments, with errors that name the option.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "run/adda/options.hpp"

namespace umov::run::adda {

namespace {

/// Number of insertions, deletions, substitutions and swaps of neighbours from one word to the other.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = 2 + word.size() / 5;
  for (const auto& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

void Arguments::fail(const std::string& why) const {
  throw BadInput(fmt::format("adda: option -{}: {}; see umov adda -h {}", name_, why, name_));
}

void Arguments::unknown_word(const std::string& word, const std::vector<std::string>& known) const {
  const std::string close = nearest(word, known);
  fail(fmt::format("unknown argument '{}' (known: {}){}", word, fmt::join(known, ", "),
                   close.empty() ? "" : fmt::format("; did you mean '{}'?", close)));
}

void Arguments::expect(std::size_t first, std::size_t last, const std::string& what) const {
  if (size() < first || size() > last) fail(fmt::format("{} argument(s) given ({} expected)", size(), what));
}

double Arguments::number(std::size_t i) const {
  const std::string& text = values_[i];
  const char* begin = text.data() + (text.size() > 1 && text[0] == '+' && text[1] != '-');
  const char* end = text.data() + text.size();
  double value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stop != end) fail(fmt::format("'{}' is not a number", text));
  if (!std::isfinite(value)) fail(fmt::format("'{}' is not a finite number", text));
  return value;
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

Vec3 Arguments::vector(std::size_t i) const { return {number(i), number(i + 1), number(i + 2)}; }

std::string Arguments::file(std::size_t i) const {
  if (values_[i].empty()) fail("empty file name");
  return values_[i];
}

}  // namespace umov::run::adda
