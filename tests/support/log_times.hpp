// The table of times at the end of a log.
#pragma once

#include <map>
#include <sstream>
#include <string>

namespace umov::test {

/// Seconds by the names of rows.
struct LogTimes {
  double total = 0;
  std::map<std::string, double> parts;   ///< of the whole: rows that are indented by two
  std::map<std::string, double> within;  ///< of a part: by four

  double sum() const {
    double all = 0;
    for (const auto& [name, seconds] : parts) all += seconds;
    return all;
  }
};

inline LogTimes times_of(const std::string& log) {
  LogTimes times;
  const auto begin = log.find("Total wall time:");
  if (begin == log.npos) return times;
  std::istringstream in(log.substr(begin));
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(':'), name = line.find_first_not_of(' ');
    if (colon == line.npos) break;
    const double seconds = std::stod(line.substr(colon + 1));
    if (name == 0) times.total = seconds;
    if (name == 2 || name == 4)
      (name == 2 ? times.parts : times.within)[line.substr(name, colon - name)] = seconds;
  }
  return times;
}

}  // namespace umov::test
