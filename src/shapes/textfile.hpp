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

bool blank(std::string_view);
/// Takes a whole number off the front, after white space. False if there is none; the number saturates at
/// +-9e18, so that a huge one is still seen as out of range.
bool take(std::string_view& text, long long& number);
bool take(std::string_view& text, double& number);
/// Drops a word off the front, after white space.
bool skip_word(std::string_view& text);

}  // namespace umov::shapes
