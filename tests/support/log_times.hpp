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
  const auto begin = log.find("time in s\n");
  if (begin == log.npos) return times;
  std::istringstream in(log.substr(log.find('\n', begin) + 1));
  for (std::string line; std::getline(in, line) && line.starts_with("  ");) {
    const auto first = line.find_first_not_of(' '), number = line.find_last_of(' ') + 1;
    const double seconds = std::stod(line.substr(number));
    const std::string name = line.substr(first, line.find_last_not_of(' ', number - 1) + 1 - first);
    if (name == "all")
      times.total = seconds;
    else
      (first == 2 ? times.parts : times.within)[name] = seconds;
  }
  return times;
}

}  // namespace umov::test
