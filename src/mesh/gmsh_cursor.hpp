// A place in a .msh file that lies in memory: numbers come off it, messages name line or byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace umov::mesh {

/// Text and binary files are read by the same calls. In text a record (one node, one element) begins with
/// begin_record() and ends on the same line. `what` names the number that was expected, for messages.
class GmshCursor {
 public:
  /// Reads the whole file. Throws BadInput when it cannot be read.
  explicit GmshCursor(const std::string& path);

  const std::string& path() const { return path_; }
  bool binary() const { return binary_; }
  /// Numbers from here on are binary, with integers of `size_bytes` where the format says size_t.
  void set_binary(bool swapped, int size_bytes);

  /// Goes to the next line that begins with '$' and returns the word after it; "" at the end of the file.
  std::string_view next_section();
  /// Goes behind the line of $End`name`, wherever it is.
  void skip_section(std::string_view name);
  /// Expects $End`name` here.
  void end_section(std::string_view name);

  /// White space and line ends in text; nothing in binary.
  void begin_record();
  /// What is left of the line, without its end; goes behind it.
  std::string_view line();
  void skip_bytes(std::size_t count);

  std::int64_t text_integer(const char* what);  ///< text in binary files too
  int integer(const char* what);                ///< int32
  int tag(const char* what);            ///< int32 without its sign, which says how a surface is turned
  std::int64_t size(const char* what);  ///< size_t
  double real(const char* what);

  /// Refuses a count of things of at least so many bytes each that cannot lie in the rest of the file.
  std::size_t announced(std::int64_t count, std::size_t text_bytes, std::size_t binary_bytes,
                        const char* what);

  /// Throws BadInput `path:line: ...` or `path, byte n: ...` for the last number read or expected.
  [[noreturn]] void refuse(const std::string& problem, const std::string& why,
                           const std::string& suggestion) const;
  [[noreturn]] void refuse_end() const;

 private:
  template <class T>
  T raw(const char* what);
  void skip_blanks(const char* what);
  [[noreturn]] void refuse_token(const char* what) const;

  std::string path_, bytes_;
  const char *at_, *end_;
  const char* last_;  ///< where the last number begins
  bool binary_ = false, swapped_ = false;
  int size_bytes_ = 8;
  std::string section_;
};

}  // namespace umov::mesh
