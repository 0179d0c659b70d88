#include "core/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace umov {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows suffice: an exchange looks back two rows and two columns.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = a[i - 1] != b[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  if (word.size() > 100) return "";  // no name is that long, and comparing takes as long as the product
  const std::string given = lower(word);
  const std::string* best = nullptr;
  std::size_t best_distance = 0;
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(given, lower(candidate));
    if (!best || distance < best_distance) {
      best = &candidate;
      best_distance = distance;
    }
  }
  // A third of the word's letters may be wrong; further away it would be a guess, not a suggestion.
  const std::size_t allowed = std::max<std::size_t>(1, given.size() / 3);
  if (!best || best_distance > allowed) return "";
  return *best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::string meant = nearest(word, candidates);
  return meant.empty() ? "" : fmt::format("did you mean '{}'?", meant);
}

namespace {

template <class T>
std::optional<T> parse_whole(std::string_view text) {
  text = trim(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  const auto value = parse_whole<double>(text);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return value;
}

std::optional<long long> parse_integer(std::string_view text) { return parse_whole<long long>(text); }

namespace {

bool blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string_view trim_front(std::string_view text) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  return text;
}

}  // namespace

std::string_view trim(std::string_view text) {
  text = trim_front(text);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

bool take(std::string_view& text, long long& number) {
  std::string_view t = text;
  t = trim_front(t);
  const bool plus = !t.empty() && t.front() == '+';
  if (plus) t.remove_prefix(1);
  if (plus && !t.empty() && t.front() == '-') return false;
  const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), number);
  if (error == std::errc::invalid_argument) return false;
  if (error == std::errc::result_out_of_range)
    number = t.front() == '-' ? std::numeric_limits<long long>::min() : std::numeric_limits<long long>::max();
  text = t.substr(std::size_t(end - t.data()));
  return true;
}

bool take(std::string_view& text, double& number) {
  std::string_view t = text;
  t = trim_front(t);
  if (!t.empty() && t.front() == '+') t.remove_prefix(1);
  const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), number);
  if (error != std::errc()) return false;
  text = t.substr(std::size_t(end - t.data()));
  return true;
}

bool skip_word(std::string_view& text) {
  text = trim_front(text);
  if (text.empty()) return false;
  while (!text.empty() && !blank(text.front())) text.remove_prefix(1);
  return true;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.emplace_back(trim(text.substr(0, at)));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string join(std::span<const std::string> words, std::string_view separator) {
  std::string text;
  for (const auto& word : words) {
    if (&word != words.data()) text += separator;
    text += word;
  }
  return text;
}

std::string shortened(std::string_view text) {
  constexpr std::size_t most = 60;
  return text.size() <= most ? std::string(text) : std::string(text.substr(0, most)) + "...";
}

double of_fifteen_digits(double value) { return std::strtod(fmt::format("{:.15g}", value).c_str(), nullptr); }

std::string shortest(double value) { return fmt::format("{}", value); }

std::string format_bytes(double bytes) {
  static constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string format_time(double seconds) {
  if (seconds == 0) return "0 s";
  static constexpr const char* prefixes[] = {"s", "ms", "µs", "ns", "ps"};
  int prefix = 0;
  for (; prefix < 4 && std::abs(seconds) < 0.9995; ++prefix) seconds *= 1000;
  return fmt::format("{:.4g} {}", seconds, prefixes[prefix]);
}

std::string format_duration(double seconds) {
  const auto whole = static_cast<long long>(std::llround(std::max(0.0, seconds)));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace umov
