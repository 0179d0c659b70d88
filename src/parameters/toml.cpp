// Reading TOML such that no text can do more than be refused.
#include "parameters/toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "core/error.hpp"
#include "core/file_kind.hpp"
#include "core/input_file.hpp"

namespace umov {

namespace {

constexpr int most_parts = 64;  // of a key; tables are destroyed by recursion
constexpr std::size_t most_bytes = 8 << 20;

[[noreturn]] void refuse(const std::string& path, std::size_t line, const std::string& why) {
  throw BadInput(fmt::format("{}:{}: not valid TOML ({})", path, line, why));
}

std::size_t line_at(std::string_view text, std::size_t at) {
  return 1 + std::size_t(std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n'));
}

/// The place behind the string that begins at `at`; the end of the text if it has no end.
std::size_t skip_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool long_one = text.substr(at, 3) == three;
  for (std::size_t i = at + (long_one ? 3 : 1); i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"')
      ++i;
    else if (!long_one && (text[i] == quote || text[i] == '\n'))
      return i + 1;
    else if (long_one && text.substr(i, 3) == three)
      return i + 3;
  }
  return text.size();
}

/// Refuses what TOML forbids or no case needs, and the library does not survive: letters beyond ASCII outside
/// strings and comments, of which it asks whether they are spaces in a way that is undefined for some; and
/// keys like a.a.a.a..., as it nests a table for every part.
void check_outside_strings(std::string_view text, const std::string& path) {
  int parts = 1;
  for (std::size_t i = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
       i < text.size();) {  // UTF-8's mark may come first
    const char c = text[i];
    if (c == '"' || c == '\'') {
      i = skip_string(text, i);
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (static_cast<unsigned char>(c) > 127)
      refuse(path, line_at(text, i), "a letter beyond ASCII outside quotes and comments");
    if (c == '.' && ++parts > most_parts)
      refuse(path, line_at(text, i), fmt::format("a key of more than {} parts", most_parts));
    if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) parts = 1;
    ++i;
  }
}

bool is_fault(std::string_view text) {
  try {
    (void)toml::parse(text);
  } catch (const TomlFault&) {
    return true;
  } catch (const toml::parse_error&) {
  }
  return false;
}

/// The first line with which the text breaks the parser, which reads from front to back.
std::size_t fault_line(std::string_view text) {
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') ends.push_back(i + 1);
  ends.push_back(text.size());
  const auto first = std::partition_point(ends.begin(), ends.end() - 1,
                                          [&](std::size_t end) { return !is_fault(text.substr(0, end)); });
  return 1 + std::size_t(first - ends.begin());
}

}  // namespace

toml::table parse_toml(const std::string& text, const std::string& path) {
  check_outside_strings(text, path);
  try {
    return toml::parse(std::string_view(text), std::string_view(path));
  } catch (const toml::parse_error& e) {
    refuse(path, e.source().begin.line, std::string(e.description()));
  } catch (const TomlFault&) {
    refuse(path, fault_line(text), "a bracket, dot or equals sign where a key should stand");
  }
}

toml::table read_toml_file(const std::string& path) {
  check_input_file(path, "case to run, a TOML file");
  std::ifstream in(path, std::ios::binary);
  std::string text(most_bytes + 1, '\0');
  in.read(text.data(), std::streamsize(text.size()));
  text.resize(std::size_t(in.gcount()));
  if (text.size() > most_bytes)
    throw BadInput(fmt::format("{}: more than {} MB (a case is a text of some kB); give a TOML file", path,
                               most_bytes >> 20));
  return read_as(FileFormat::toml, path, "a case is read here, in TOML",
                 [&] { return parse_toml(text, path); });
}

}  // namespace umov
