// Runs of the program on several ranks that are disturbed, and the files they leave.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "support/program.hpp"
#include "support/ranked_program.hpp"

namespace umov::test {

/// A run of about a second on one rank, and what is compared of it.
struct Family {
  std::string name, words, toml, file;
  std::string state;  ///< name of its checkpoint
  /// In `toml`: so that no machine ends it before it is disturbed, or a moment.
  std::pair<std::string, std::string> longer, shorter;
  /// What another number of ranks may change, relative to the largest number of the column.
  double tolerance;
  /// Words that columns of a CSV file begin with that are compared; none: all of any file.
  std::vector<std::string> columns{};
};

inline void PrintTo(const Family& f, std::ostream* to) { *to << f.name; }

inline const Family rank_families[] = {
    // residuals of 1e-10
    {"dda_waves",
     "dda case.toml --cpu --quiet --no-pictures --no-hdf5 --split solves",
     "wavelength = 1.0\n"
     "[shape]\nname = \"ellipsoid\"\narguments = [0.7, 1.3]\ngrid = 20\ndpl = 13\n"
     "[material]\nm = [1.9, 0.05]\n[source]\npropagation = [1, 2, 3]\n"
     "[solver]\nname = \"bicgstab\"\nepsilon = 1e-10\n",
     "CrossSec-Y",
     "checkpoint-Y",
     {"grid = 20\ndpl = 13", "grid = 48\ndpl = 5"},
     {"1e-10", "1e-8"},
     1e-7},
    {"dda_slabs",
     "dda case.toml --cpu --quiet --no-pictures --no-hdf5 --split particle",
     "wavelength = 1.0\n"
     "[shape]\nname = \"ellipsoid\"\narguments = [0.7, 1.3]\ngrid = 16\ndpl = 13\n"
     "[material]\nm = [1.9, 0.05]\n[source]\npropagation = [1, 2, 3]\n"
     "[solver]\nname = \"bicgstab\"\nepsilon = 1e-10\n",
     "CrossSec-Y",
     "checkpoint-Y",
     {"grid = 16\ndpl = 13", "grid = 48\ndpl = 5"},
     {"1e-10", "1e-8"},
     1e-7},
    // nothing is summed over ranks
    {"fdtd",
     "fdtd case.toml --cpu --quiet --no-pictures",
     "[domain]\nsize = [3, 2.3]\nresolution = 40\n"
     "[[source]]\nkind = \"point\"\nwaveform = \"gaussian\"\nfrequency = 1\nwidth = 0.3\ncenter = [-0.6, "
     "0.3]\n"
     "[[monitor]]\nkind = \"series\"\nname = \"probe\"\ncenter = [0.5, 0.2]\n"
     "[stop]\nsteps = 10000\n[output]\ncsv = true\n",
     "series-probe.csv",
     "checkpoint",
     {"steps = 1", "steps = 10000"},
     {"steps = 10000", "steps = 4000"},
     0},
    // solves to 1e-12 of the fluxes, Newton to 1e-8, in steps of one length
    {"eqs",
     "eqs case.toml --cpu --quiet --no-pictures --no-vtk",
     "[mesh]\norder = 1\n"
     "[geometry]\nkind = \"layers\"\nwidth = 0.002\nelements_across = 4\n"
     "[[layer]]\nregion = \"gas\"\nthickness = 0.002\nelements = 5\n"
     "[[layer]]\nregion = \"film\"\nthickness = 0.001\nelements = 4\n"
     "[[material]]\nname = \"gas\"\nconductivity = 1e-12\n"
     "[[material]]\nname = \"film\"\npermittivity = 12\nconductivity_formula = \"1e-10 * (1 + (E / "
     "5e5)^4)\"\n"
     "[[electrode]]\nname = \"bottom\"\namplitude = 2000\n[[electrode]]\nname = \"top\"\nkind = \"ground\"\n"
     "[time]\nperiods = 1\nstep = 1e-4\n[output]\ncsv = true\n",
     "electrodes.csv",
     "checkpoint",
     {"periods = 1", "periods = 1000"},
     {"periods = 1", "periods = 0.3"},
     1e-6}};

/// How many ranks a run has: as processes of an MPI, or as threads.
class RankRuns : public testing::TestWithParam<std::tuple<Family, std::string>> {
 protected:
  void SetUp() override {
    if (!threads() && mpirun(kind(), 2).empty())
      GTEST_SKIP() << "its mpirun is not here, or umov was built without it";
    folder_.write("case.toml", family().toml);
  }
  const Family& family() const { return std::get<0>(GetParam()); }
  const std::string& kind() const { return std::get<1>(GetParam()); }
  bool threads() const { return kind() == "threads"; }

  /// A run of the case on so many ranks; `words` beside the family's, or in their place.
  std::string before(int ranks) const { return threads() ? "" : mpirun(kind(), ranks); }
  std::string on(int ranks, const std::string& words) const {
    return words + (threads() ? " --ranks " + std::to_string(ranks) : "");
  }
  RankedEnd finish(int ranks, const std::string& words) const {
    return umov_in(folder_.path(), ranks == 1 ? words : on(ranks, words), ranks == 1 ? "" : before(ranks));
  }
  std::string cut() const { return family().words + " --output-dir cut --checkpoint 0.01s"; }
  std::string resume() const {
    return family().words.substr(0, family().words.find(' ')) + " --resume cut --quiet";
  }

  void change(const std::pair<std::string, std::string>& words) const {
    std::string toml = family().toml;
    folder_.write("case.toml", toml.replace(toml.find(words.first), words.first.size(), words.second));
  }

  fs::path state() const { return folder_ / ("cut/" + family().state); }
  /// Waits for the next state that a run saves.
  bool saves() const {
    std::error_code absent;
    const auto before = fs::last_write_time(state(), absent);
    const bool there = !absent;
    return wait_until([&] {
      std::error_code missing;
      const auto now = fs::last_write_time(state(), missing);
      return !missing && (!there || now != before);
    });
  }

  /// The results of the folder `cut` are those of an undisturbed run on one rank.
  void expect_undisturbed() const {
    const RankedEnd one = finish(1, family().words + " --output-dir whole");
    ASSERT_EQ(one.code, 0) << one.text;
    const auto right = rows(folder_ / ("whole/" + family().file)),
               found = rows(folder_ / ("cut/" + family().file));
    ASSERT_GE(right.size(), 3u);
    ASSERT_EQ(right.size(), found.size());
    for (std::size_t c = 0; c < right[0].size(); ++c) {
      double largest = 0;
      for (const auto& row : right) largest = std::max(largest, std::abs(row[c]));
      for (std::size_t i = 0; i < right.size(); ++i)
        ASSERT_NEAR(right[i][c], found[i][c], family().tolerance * largest)
            << "row " << i << ", column " << c;
    }
  }
  /// The lines with the most numbers, or the columns asked for.
  std::vector<std::vector<double>> rows(const fs::path& file) const {
    if (!family().columns.empty()) return columns(file);
    std::vector<std::vector<double>> all;
    std::istringstream text(text_of(file));
    for (std::string line; std::getline(text, line);) {
      auto row = parted(line).first;
      if (!all.empty() && row.size() > all[0].size()) all.clear();
      if (!row.empty() && (all.empty() || row.size() == all[0].size())) all.push_back(std::move(row));
    }
    return all;
  }
  std::vector<std::vector<double>> columns(const fs::path& file) const {
    std::vector<std::vector<double>> all;
    std::vector<std::string> names;
    std::istringstream text(text_of(file));
    for (std::string line; std::getline(text, line);) {
      if (line.starts_with('#')) continue;
      std::vector<std::string> fields;
      std::istringstream parts(line);
      for (std::string field; std::getline(parts, field, ',');) fields.push_back(field);
      if (names.empty()) {
        names = fields;
        continue;
      }
      all.emplace_back();
      for (std::size_t c = 0; c < std::min(names.size(), fields.size()); ++c)
        for (const auto& asked : family().columns)
          if (names[c].starts_with(asked)) all.back().push_back(std::stod(fields[c]));
    }
    EXPECT_FALSE(all.empty() || all[0].empty()) << file << " has no such columns";
    return all;
  }

  TemporaryFolder folder_;
};

inline std::string name_of_rank_run(const testing::TestParamInfo<std::tuple<Family, std::string>>& test) {
  return std::get<0>(test.param).name + "_" + std::get<1>(test.param);
}

}  // namespace umov::test
