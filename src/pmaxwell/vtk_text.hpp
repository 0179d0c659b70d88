// A VTK legacy file as lines and numbers: what its keywords stand between.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace umov::pmaxwell {

enum class NumberType { single, twofold };

/// Goes through the file once; whatever does not fit is refused with the file's name.
class VtkText {
 public:
  /// Throws BadInput when the file cannot be read.
  explicit VtkText(const std::string& path);

  bool binary = false;

  /// The next line as it is; false at the end.
  bool next(std::string_view& line);
  /// The words of the next line that has any; none at the end.
  std::vector<std::string> words();
  /// Numbers after the line read last. `what` ("the x coordinates") is for messages.
  std::vector<double> doubles(long long count, NumberType, const std::string& what);
  std::vector<float> floats(long long count, const std::string& what);
  /// Bytes that are not read yet, white space at the end left out.
  std::size_t left() const;

  /// With the number of the line.
  [[noreturn]] void refuse(const std::string& what) const;
  [[noreturn]] void refuse_file(const std::string& what) const;

 private:
  [[noreturn]] void refuse_number(const std::string& what) const;
  void require(long long count, std::size_t bytes, const std::string& what) const;
  double text_number(long long at, long long count, const std::string& what);
  template <class T>
  std::vector<T> binary_numbers(long long count, const std::string& what);

  std::string path_, text_;
  std::string_view rest_;
  long line_ = 0;
};

}  // namespace umov::pmaxwell
