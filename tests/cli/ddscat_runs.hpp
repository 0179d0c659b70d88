// Runs of `umov ddscat` and the numbers in the files that they leave.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "support/foreign_inputs.hpp"
#include "support/program.hpp"

namespace umov::test {

using Numbers = std::vector<double>;

inline constexpr const char* ddscat_flags = " --backend cpu --no-pictures --output-dir out";

inline Ended run_par(const TemporaryFolder& folder, const ParFile& par, const std::string& more = "") {
  folder.write("ddscat.par", par.text());
  auto ended = run(folder, std::string("ddscat ddscat.par") + ddscat_flags + more);
  EXPECT_EQ(ended.code, 0) << ended.err;
  return ended;
}

inline Numbers numbers_of(const std::string& line) {
  std::istringstream in(line);
  Numbers out;
  for (double x; in >> x;) out.push_back(x);
  return out;
}

/// The line of a file that begins with these words, the words left out.
inline Numbers row(const TemporaryFolder& folder, const std::string& file, const std::string& begins) {
  std::istringstream in(text_of(folder / ("out/" + file)));
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(begins)) return numbers_of(line.substr(begins.size()));
  ADD_FAILURE() << file << " has no line '" << begins << "'";
  return {};
}

/// As DDSCAT prints: five digits, its solve being good to 1e-5 of single precision.
inline void expect_digits(const Numbers& found, const Numbers& wanted, double digits = 4e-5) {
  ASSERT_GE(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(found[i], wanted[i], digits * std::abs(wanted[i])) << i;
}

}  // namespace umov::test
