// Numbers as OpenDDA's files have them: lists, and complex ones whose parts stand side by side.
#include <fmt/format.h>

#include "core/columns.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "dda/opendda/control.hpp"

namespace umov::dda::opendda {

namespace {

constexpr std::size_t most_values = 100000;  // of one list, as in a case of `umov dda`

[[noreturn]] void refuse(const std::string& place, const std::string& text) {
  throw BadInput(place + ": " + text);
}

}  // namespace

std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> out;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const bool begins = (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+';
    if (!begins) {
      // anything that is not white, a separator or the imaginary unit is no number
      if (std::string_view(" \t,()[]{}'\"iI").find(c) == std::string_view::npos) return {};
      ++i;
      continue;
    }
    std::size_t n = 1;
    while (
        i + n < text.size() &&
        (std::string_view("0123456789.").find(text[i + n]) != std::string_view::npos ||
         ((text[i + n] == 'e' || text[i + n] == 'E') && i + n + 1 < text.size()) ||
         ((text[i + n] == '-' || text[i + n] == '+') && (text[i + n - 1] == 'e' || text[i + n - 1] == 'E'))))
      ++n;
    std::string_view word = text.substr(i, n);
    if (word.front() == '+') word.remove_prefix(1);
    const auto x = parse_number(word);
    if (!x) return {};
    out.push_back(*x);
    i += n;
  }
  return out;
}

std::vector<double> read_list(const std::string& path) {
  std::vector<double> out;
  const auto lines = read_lines(path, "list of values");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto text = trim(lines[i]);
    if (text.empty() || text[0] == '#') continue;
    const auto x = parse_number(text);
    if (!x) refuse(fmt::format("{}:{}", path, i + 1), fmt::format("'{}' is not a number", shortened(text)));
    out.push_back(*x);
    if (out.size() > most_values) refuse(path, fmt::format("more than {} values", most_values));
  }
  if (out.empty()) throw BadInput(path + ": no value in it; give one a line, or remove the file");
  return out;
}

}  // namespace umov::dda::opendda
