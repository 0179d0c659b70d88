// ADDA's files of angles, read strictly: sections of keys, each known, once and complete.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace umov::dda {

enum class AngleValue { number, integer, flag, word, list };  ///< a list of rows follows its key

/// A key of a section and what follows its "=".
struct AngleKey {
  std::string name;
  AngleValue value;
  std::size_t columns = 1;  ///< of the rows of a list
};

/// Section name (without colon; "" before the first) to its keys.
using AngleSections = std::map<std::string, std::vector<AngleKey>>;

/// Lines are empty, comments (#), "section:", "key=value", or rows of numbers below the key of a list.
/// Throws BadInput naming file and line for any other line, an unknown or repeated section or key, and a
/// value that is not one.
class AngleFile {
 public:
  AngleFile(const std::string& path, const AngleSections&);

  bool has(const std::string& section) const { return start_.count(section) != 0; }
  /// Throw BadInput when section or key is missing.
  double number(const std::string& section, const std::string& key) const;
  long integer(const std::string& section, const std::string& key) const;
  bool flag(const std::string& section, const std::string& key) const;
  const std::string& word(const std::string& section, const std::string& key) const;
  const std::vector<std::vector<double>>& rows(const std::string& section, const std::string& key) const;
  /// "path:line" of a section's head or of a key in it.
  std::string where(const std::string& section) const;
  std::string where(const std::string& section, const std::string& key) const;

 private:
  struct Entry {
    long line = 0;
    double number = 0;
    std::string word;
    std::vector<std::vector<double>> rows;
  };
  using Keys = std::map<std::string, Entry>;

  [[noreturn]] void refuse(const std::string& message) const;
  void read_line(std::string_view text);
  void begin_section(const std::string& name);
  void read_key(const std::string& name, std::string_view value);
  void read_row(std::string_view text);
  const AngleKey& known(const std::string& name) const;
  const Entry& entry(const std::string& section, const std::string& key) const;

  std::string path_;
  const AngleSections& sections_;
  std::map<std::string, Keys> keys_;
  std::map<std::string, long> start_{{"", 1}};  ///< line of each section's head
  std::string section_;
  const AngleKey* list_ = nullptr;  ///< whose rows may follow
  long line_ = 0;
};

}  // namespace umov::dda
