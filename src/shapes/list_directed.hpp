// Values of a line as Fortran's list-directed READ(...,*) takes them.
#pragma once

#include <string>
#include <string_view>

namespace umov::shapes {

/// Values are parted by blanks or one comma; 3*1 stands for 1 1 1; a slash ends the line; 1.5D0 and 1.5+3 are
/// reals (ISO/IEC 1539-1, list-directed formatting). Left-out values (two commas, 3*) and quoted strings are
/// values that no number can be read from. A line is not continued on the next one.
class ListRecord {
 public:
  explicit ListRecord(std::string_view text) : rest_(text) {}

  /// The next value; false when there is none or it is no whole number, no number.
  bool next(long long& number);
  bool next(double& number);
  /// Whether another number stands after the values taken; other text there is a remark.
  bool number_follows() const;

 private:
  bool value(std::string& word);
  bool take_word(std::string& word);

  std::string_view rest_;
  std::string repeated_;
  long long repeats_ = 0;
  bool first_ = true, ended_ = false;
};

}  // namespace umov::shapes
