// Readers of ADDA's output files, for comparison with results of others.
#pragma once

#include <charconv>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace umov::test {

inline std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline std::vector<double> numbers(const std::string& line) {
  std::vector<double> list;
  const char* p = line.data();
  const char* const end = p + line.size();
  while (p != end) {
    double value = 0;
    const auto [stop, error] = std::from_chars(p, end, value);
    if (error == std::errc()) list.push_back(value);
    p = error == std::errc() ? stop : p + 1;
  }
  return list;
}

/// Lines of numbers below a header line: mueller, ampl and their relatives.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};

inline Table read_table(const std::string& path) {
  std::istringstream in(read_text(path));
  std::string line;
  Table table;
  std::getline(in, line);
  std::istringstream header(line);
  for (std::string word; header >> word;) table.columns.push_back(word);
  while (std::getline(in, line)) table.rows.push_back(numbers(line));
  return table;
}

/// Field per dipole: DipPol, IntField, IncBeam.
struct Field {
  std::vector<Vec3> position;
  std::vector<CVec3> value;
};

inline Field read_field(const std::string& path) {
  Field field;
  for (const auto& r : read_table(path).rows) {
    if (r.size() != 10) throw std::runtime_error(path + ": a line has not 10 numbers");
    field.position.push_back({r[0], r[1], r[2]});
    field.value.push_back({cplx(r[4], r[5]), cplx(r[6], r[7]), cplx(r[8], r[9])});
  }
  return field;
}

/// RadForce: a real vector per dipole.
inline std::vector<Vec3> read_forces(const std::string& path) {
  std::vector<Vec3> forces;
  for (const auto& r : read_table(path).rows) forces.push_back({r.at(4), r.at(5), r.at(6)});
  return forces;
}

/// CrossSec: numbers by name. Names of the part based on radiation forces begin with "force ".
inline std::map<std::string, std::vector<double>> read_cross_sections(const std::string& path) {
  std::istringstream in(read_text(path));
  std::map<std::string, std::vector<double>> found;
  std::string line, prefix;
  while (std::getline(in, line)) {
    if (line.rfind("Based on radiation forces", 0) == 0) prefix = "force ";
    const auto sign = line.find('=');
    if (sign == line.npos) continue;
    found[prefix + line.substr(0, line.find_first_of(" \t"))] = numbers(line.substr(sign + 1));
  }
  return found;
}

}  // namespace umov::test
