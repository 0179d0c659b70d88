// Reading numbers from the lines of a text file, with messages that name file and line.
#include "shapes/textfile.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "core/error.hpp"

namespace umov::shapes {
namespace {

bool space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

void skip_space(std::string_view& text) {
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
}

/// The line as it can be shown: one piece of plain text of moderate length.
std::string shown(std::string_view text) {
  std::string s;
  for (char c : text.substr(0, 60)) s += c == '\t' ? ' ' : c >= 0 && c < ' ' ? '?' : c;
  while (!s.empty() && (s.back() == ' ' || s.back() == '?')) s.pop_back();
  return text.size() > 60 ? s + "..." : s;
}

}  // namespace

TextFile::TextFile(const std::string& path) : path_(path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw BadInput(fmt::format("cannot read {} (it is a folder) give the name of a shape file", path));
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw BadInput(
        fmt::format("cannot open {} ({}) check the name of the shape file", path,
                    std::filesystem::exists(path, error) ? "no permission to read it" : "no such file"));
  std::ostringstream all;
  all << file.rdbuf();
  text_ = std::move(all).str();
  std::string_view rest = text_;
  while (!rest.empty()) {
    const auto end = rest.find('\n');
    lines_.push_back(rest.substr(0, end));
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  }
}

std::size_t TextFile::leading_comments() const {
  std::size_t n = 0;
  while (n < lines() && !line(n).empty() && line(n).front() == '#') ++n;
  return n;
}

void TextFile::refuse(std::size_t i, const std::string& problem, const std::string& why,
                      const std::string& suggestion) const {
  throw BadInput(
      fmt::format("{}:{}: {} in \"{}\" ({}) {}", path_, i + 1, problem, shown(line(i)), why, suggestion));
}

bool blank(std::string_view text) {
  skip_space(text);
  return text.empty();
}

bool take(std::string_view& text, long long& number) {
  std::string_view t = text;
  skip_space(t);
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
  skip_space(t);
  if (!t.empty() && t.front() == '+') t.remove_prefix(1);
  const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), number);
  if (error != std::errc()) return false;
  text = t.substr(std::size_t(end - t.data()));
  return true;
}

bool skip_word(std::string_view& text) {
  skip_space(text);
  if (text.empty()) return false;
  while (!text.empty() && !space(text.front())) text.remove_prefix(1);
  return true;
}

}  // namespace umov::shapes
