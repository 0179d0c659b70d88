// Reading numbers from the lines of a text file, with messages that name file and line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace umov::shapes {

/// A text file in memory, cut into lines without their ends.
class TextFile {
 public:
  /// Throws BadInput naming the path if it cannot be read.
  explicit TextFile(const std::string& path);

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  std::size_t lines() const { return lines_.size(); }
  std::string_view line(std::size_t i) const { return i < lines_.size() ? lines_[i] : std::string_view(); }
  /// Number of lines that start with '#' before the first one that does not.
  std::size_t leading_comments() const;
  /// Throws BadInput `path:line: ...` with the text of the line; i counts from 0.
  [[noreturn]] void refuse(std::size_t i, const std::string& problem, const std::string& why,
                           const std::string& suggestion) const;

 private:
  std::string path_, text_;
  std::vector<std::string_view> lines_;
};

}  // namespace umov::shapes
