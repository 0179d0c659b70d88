// Cases with lists, for their tests: read, run without a folder, their table.
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "dda/case/many.hpp"
#include "dda/command/front.hpp"
#include "dda/run/many.hpp"
#include "support/program.hpp"

namespace umov::test {

inline dda::Request request(const std::string& flags) {
  const auto given = words(flags + " --backend serial --no-pictures --no-hdf5 --no-mueller-matrix");
  return dda::parse(given);
}

/// All cases without a folder; `known` are finished already.
inline dda::ManyOutcome run_all(const std::vector<dda::Simulation>& cases) {
  dda::ManyObserver watch;
  watch.finished = [](std::size_t) { return std::nullopt; };
  dda::Machine serial;
  serial.backend = "serial";
  watch.begin = [&](const auto&) { return serial; };
  watch.ready = [&](std::size_t i) { return cases[i]; };
  watch.observer = [](std::size_t) { return dda::RunObserver(); };
  watch.solved = [](std::size_t, const dda::Outcome&, const dda::CaseRow&) {};
  return dda::run_many(*comm::one_rank(), cases, serial, watch);
}

/// Columns of a CSV file by the name before their unit.
inline std::map<std::string, std::vector<double>> table_of(const fs::path& file) {
  std::ifstream in(file);
  std::string line, cell;
  while (std::getline(in, line) && line.starts_with('#')) {
  }
  std::vector<std::string> names;
  for (std::istringstream heads(line); std::getline(heads, cell, ',');)
    names.push_back(cell.substr(0, cell.find(" [")));
  std::map<std::string, std::vector<double>> out;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    for (const auto& name : names)
      if (std::getline(cells, cell, ',')) out[name].push_back(std::strtod(cell.c_str(), nullptr));
  }
  return out;
}

inline const std::string sphere = "--size 1 --shape-grid 12 --m 1.5,0.02 --lambda 0.8:1:5 --epsilon 1e-6";

}  // namespace umov::test
