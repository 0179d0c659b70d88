// Columns of numbers in a text file.
#include "eqs/read_columns.hpp"

#include <algorithm>
#include <fstream>

#include "core/error.hpp"
#include "core/text.hpp"

namespace umov::eqs {

std::vector<std::vector<double>> read_columns(const std::string& file, int count, const std::string& what) {
  std::ifstream in(file);
  if (!in) throw BadInput(what + ": cannot read '" + file + "'; check the path");
  std::vector<std::vector<double>> columns(count);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const std::string where = what + ": " + file + ":" + std::to_string(number) + ": ";
    for (char& c : line)
      if (c == ',' || c == ';' || c == '\t' || c == '\r') c = ' ';
    std::vector<std::string> words;
    for (auto& w : split(line, ' '))
      if (!trim(w).empty()) words.push_back(std::string(trim(w)));
    if (words.empty() || words[0][0] == '#') continue;
    std::vector<double> row;
    for (const auto& w : words)
      if (const auto v = parse_number(w)) row.push_back(*v);
    if (row.empty() && columns[0].empty()) continue;  // a heading
    if (row.size() != words.size()) throw BadInput(where + "'" + line + "' has something that is no number");
    if (int(row.size()) < count)
      throw BadInput(where + std::to_string(row.size()) + " number(s) where " + std::to_string(count) +
                     " are needed");
    for (int k = 0; k < count; ++k) columns[k].push_back(row[k]);
  }
  if (columns[0].empty()) throw BadInput(what + ": '" + file + "' has no numbers");
  return columns;
}

}  // namespace umov::eqs
