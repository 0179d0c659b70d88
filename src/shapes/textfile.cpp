#include "shapes/textfile.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/error.hpp"

namespace umov::shapes {
namespace {

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
    throw BadInput(fmt::format("cannot read {} (it is a folder); give the name of a shape file", path));
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw BadInput(
        fmt::format("cannot open {} ({}); check the name of the shape file", path,
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
      fmt::format("{}:{}: {} in \"{}\" ({}); {}", path_, i + 1, problem, shown(line(i)), why, suggestion));
}

}  // namespace umov::shapes
