// Small electroquasistatic cases for tests of the front and of files.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/program.hpp"

namespace umov::test {

/// Columns of a CSV file by the name before the unit.
inline std::map<std::string, std::vector<double>> columns(const std::filesystem::path& file) {
  std::istringstream in(text_of(file));
  std::map<std::string, std::vector<double>> out;
  std::vector<std::string> names;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    // a comma within quotes is no border
    bool quoted = false;
    for (char& c : line) {
      if (c == '"') quoted = !quoted;
      if (c == ',' && quoted) c = ';';
    }
    std::istringstream cells(line);
    std::size_t k = 0;
    const bool header = names.empty();
    for (std::string cell; std::getline(cells, cell, ','); ++k) {
      if (header)
        names.push_back(cell.substr(0, cell.find(" [")));
      else
        out[names[k]].push_back(std::strtod(cell.c_str(), nullptr));
    }
  }
  return out;
}

/// Two layers of 2 mm between plates: a field-grading material on a dielectric, 10 kV with a ramp.
inline std::string two_layers(const std::string& more = "") {
  return R"([geometry]
kind = "layers"
width = 0.001
elements_across = 1

[[layer]]
region = "varistor"
thickness = 0.002
elements = 3

[[layer]]
region = "dielectric"
thickness = 0.002
elements = 3

[[material]]
name = "varistor"
permittivity = 12
conductivity = "microvaristor"

[[material]]
name = "dielectric"
permittivity = 4

[[electrode]]
name = "bottom"
rms = 10e3
ramp = "linear"

[[electrode]]
name = "top"
kind = "ground"
)" + more;
}

}  // namespace umov::test
