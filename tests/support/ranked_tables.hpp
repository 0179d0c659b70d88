// Folders of results from one rank and from several, compared file by file.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/ranked_program.hpp"

namespace umov::test {

inline std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

/// A table without its comments, and without the columns that differ from run to run.
inline std::string table_without_times(const fs::path& file) {
  std::string out;
  std::istringstream text(text_of(file));
  std::vector<std::size_t> dropped;
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    std::size_t c = 0;
    const bool heading = out.empty();
    for (std::string field; std::getline(fields, field, ','); ++c) {
      if (heading && field.find("seconds") != field.npos) dropped.push_back(c);
      if (std::find(dropped.begin(), dropped.end(), c) == dropped.end()) out += field + ",";
    }
    out += "\n";
  }
  return out;
}

/// All tables of two runs of umov dda: the same words, and numbers that differ by rounding and by what a
/// residual of 1e-10 leaves of a solution: 1e-8 of the largest of the file. `more`: further files that tell
/// of the run.
inline void expect_same_files(const fs::path& one, const fs::path& other, int least = 10,
                              const std::set<std::string>& more = {}) {
  EXPECT_EQ(names_in(one), names_in(other));
  int compared = 0;
  for (const std::string& name : names_in(one)) {
    if (fs::is_directory(one / name)) continue;
    const bool table = name.find('.') == std::string::npos || name.ends_with(".csv");
    // these tell of the run rather than of the particle
    if (!table || name == "log" || name == "prof" || name == "meminfo" || name.starts_with("log_int") ||
        more.count(name))
      continue;
    const auto [a, words] = parted(text_of(one / name));
    const auto [b, other_words] = parted(text_of(other / name));
    ASSERT_EQ(a.size(), b.size()) << name;
    EXPECT_EQ(words, other_words) << name;
    double largest = 0;
    for (const double v : a) largest = std::max(largest, std::abs(v));
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-8 * largest) << name;
    ++compared;
  }
  EXPECT_GE(compared, least);
}

}  // namespace umov::test
