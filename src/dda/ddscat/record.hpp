// Records of ddscat.par as Fortran's list-directed READ takes them, with words that name file and line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/types.hpp"

namespace umov::dda::ddscat {

/// The values of one line: numbers, 'texts', (re,im); parted by blanks or a comma, ended by a slash; 3*1.0 is
/// one of them three times. Text after the values that are asked for is a remark.
class Record {
 public:
  Record(std::string place, std::string_view text) : place_(std::move(place)), rest_(text) {}

  const std::string& place() const { return place_; }
  /// Each throws BadInput with the place when the next value is not of that kind; `what` names it.
  double number(const std::string& what);
  double positive(const std::string& what);
  long whole(const std::string& what, long least, long most);
  std::string word(const std::string& what);
  cplx complex(const std::string& what);
  /// What has not been read.
  std::string_view rest() const { return rest_; }
  [[noreturn]] void refuse(const std::string& problem) const;

 private:
  std::string take(const std::string& what);
  long times(const std::string& what);       ///< of what comes: 3 before 3*1.0, else 1
  std::string one(const std::string& what);  ///< the value that comes
  void skip();

  std::string place_;
  std::string_view rest_;
  bool first_ = true;
  long again_ = 0;     ///< times that value_ is still to be given
  std::string value_;  ///< the last one
};

/// A file read record by record: blank lines are none.
class Records {
 public:
  /// Throws BadInput when the file cannot be read.
  explicit Records(const std::string& path);
  /// The next record. Throws BadInput at the end of the file, saying that `what` is missing.
  Record next(const std::string& what);
  /// The next line, blank or not, of which nothing is read.
  Record skip_line(const std::string& what);
  bool at_end() const;

 private:
  std::string path_;
  std::vector<std::string> lines_;
  std::size_t at_ = 0;
};

}  // namespace umov::dda::ddscat
