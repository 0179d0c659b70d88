// Other codes' command lines and inputs, accuracies and folders of cases on ranks: the files of one rank.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "support/foreign_inputs.hpp"
#include "support/ranked_program.hpp"
#include "support/ranked_tables.hpp"
#include "support/temp_folder.hpp"

namespace umov::dda {
namespace {

namespace fs = std::filesystem;
using test::expect_same_files, test::names_in, test::text_of;
using Ended = test::RankedEnd;

class CommandsOnRanks : public testing::Test {
 protected:
  Ended umov(const std::string& words, const std::string& before = "") const {
    return test::umov_in(folder_, words, before);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  fs::path at(const std::string& name) const { return folder_ / name; }

  /// Ways to be several: words, and what starts them.
  static std::vector<std::pair<std::string, std::string>> ways() {
    std::vector<std::pair<std::string, std::string>> all{{" --ranks 2", ""}, {" --ranks 3", ""}};
    for (const std::string mpi : {"openmpi", "mpich"})
      if (const std::string start = test::mpirun(mpi, 3); !start.empty()) all.emplace_back("", start);
    return all;
  }

  test::TempFolder temporary_;
  const fs::path folder_ = temporary_.path;
};

TEST_F(CommandsOnRanks, AddasLineWritesAddasFilesOfOneRank) {
  const std::string words =
      "adda -shape ellipsoid 0.8 0.6 -grid 9 -dpl 12 -m 1.4 0.02 -prop 0.3 0.2 0.9 -eps 10 -lambda 1 -Csca "
      "-asym "
      "-vec -Cpr -store_force -store_int_field -store_beam -store_dip_pol -store_scat_grid -ntheta 20 "
      "-scat_matr both "
      "--backend cpu --no-pictures -dir ";
  const Ended one = umov(words + "one");
  ASSERT_EQ(one.code, 0) << one.text;
  int number = 0;
  for (const auto& [options, start] : ways()) {
    const std::string split = ++number % 2 ? "auto" : "particle", name = "other" + std::to_string(number);
    SCOPED_TRACE(options + start + " " + split);
    const Ended r = umov(words + name + options + " --split " + split, start);
    ASSERT_EQ(r.code, 0) << r.text;
    EXPECT_EQ(r.count("results: "), 1) << r.text;
    expect_same_files(at("one"), at(name));
    EXPECT_NE(text_of(at(name) / "log").find("ranks: "), std::string::npos);
  }
}

TEST_F(CommandsOnRanks, AddasNumberedFolderIsMadeOnce) {
  for (const auto& [options, start] : ways()) {
    SCOPED_TRACE(options + start);
    const fs::path own = folder_ / "numbered";
    fs::remove_all(own);
    fs::create_directory(own);
    const std::string words = "adda -grid 6 -m 1.2 0 --backend cpu --no-pictures" + options;
    const Ended r = test::umov_in(own, words, start);
    ASSERT_EQ(r.code, 0) << r.text;
    EXPECT_EQ(names_in(own), (std::set<std::string>{"ExpCount", "latest", "run000_sphere_g6_m1.2"}));
    const Ended planned = test::umov_in(own, words + " -prognosis", start);
    ASSERT_EQ(planned.code, 0) << planned.text;
    EXPECT_TRUE(fs::exists(own / "test001_sphere_g6_m1.2/meminfo")) << planned.text;
    EXPECT_EQ(text_of(own / "ExpCount"), "2");
  }
}

TEST_F(CommandsOnRanks, AnAccuracyTakesTheGridsOfOneRank) {
  const std::string words =
      "dda --cpu --shape-grid 8 --size 0.4 --lambda 1 --m 1.4,0.05 --accuracy 5% --epsilon 1e-10 --quiet "
      "--no-pictures --no-hdf5 --output-dir ";
  const Ended one = umov(words + "one");
  ASSERT_EQ(one.code, 0) << one.text;
  ASSERT_TRUE(fs::exists(at("one/extrapolated.csv"))) << one.text;
  int number = 0;
  for (const auto& [options, start] : ways()) {
    SCOPED_TRACE(options + start);
    const std::string name = "other" + std::to_string(++number);
    const Ended r = umov(words + name + options, start);
    ASSERT_EQ(r.code, 0) << r.text;
    expect_same_files(at("one"), at(name), 5, {"grids.csv"});  // seconds
  }
}

TEST_F(CommandsOnRanks, CasesOfAListLeaveTheirFolders) {
  write("list.toml",
        "wavelength = [1.0, 1.1, 1.2]\n"
        "[shape]\nname = \"ellipsoid\"\narguments = [0.8, 0.6]\ngrid = 6\nsize = 0.6\n"
        "[material]\nm = [1.4, 0.02]\n"
        "[source]\npropagation = [0.3, 0.2, 0.9]\n"
        "[solver]\nepsilon = 1e-10\n");
  const std::string words =
      "dda list.toml --cpu --quiet --case-folders --no-neighbours --no-pictures --output-dir ";
  const Ended one = umov(words + "one");
  ASSERT_EQ(one.code, 0) << one.text;
  int number = 0;
  for (const auto& [options, start] : ways()) {
    SCOPED_TRACE(options + start);
    const std::string name = "other" + std::to_string(++number);
    const Ended r = umov(words + name + options, start);
    ASSERT_EQ(r.code, 0) << r.text;
    for (const std::string own : {"case_0001", "case_0002", "case_0003"})
      expect_same_files(at("one") / own, at(name) / own, 4);
    EXPECT_EQ(names_in(at("one")), names_in(at(name)));
  }
}

/// Files in other codes' layouts that end so: as many numbers, each within `relative` (digits that are
/// printed, or solves to 1e-10) and what rounding leaves of zeros. Cases of a list are solved by one rank
/// each: the same bits.
void expect_same_numbers(const fs::path& one, const fs::path& other, const std::vector<std::string>& ends,
                         double relative) {
  EXPECT_EQ(names_in(one), names_in(other));
  int compared = 0;
  for (const std::string& name : names_in(one)) {
    if (std::none_of(ends.begin(), ends.end(), [&](const auto& end) { return name.ends_with(end); }))
      continue;
    const auto a = test::parted(text_of(one / name)).first, b = test::parted(text_of(other / name)).first;
    ASSERT_EQ(a.size(), b.size()) << name;
    for (std::size_t i = 0; i < a.size(); ++i)
      ASSERT_NEAR(a[i], b[i], relative * std::abs(a[i]) + 1e-12) << name << ", number " << i;
    compared += !a.empty();
  }
  EXPECT_GE(compared, 1);
}

/// Lists go to ranks, a case alone to all of them together.
TEST_F(CommandsOnRanks, OpenDdasControlFile) {
  for (const bool list : {true, false}) {
    write("control.input",
          test::control_file(list ? std::map<std::string, std::string>{{"Wavelengths", "3.0,0.1,3.3"}}
                                  : std::map<std::string, std::string>{}));
    const std::string words = std::string("opendda control.input --cpu --no-pictures --no-hdf5 ") +
                              (list ? "--no-neighbours " : "") + "--output-dir ";
    fs::remove_all(at("one"));
    const Ended one = umov(words + "one");
    ASSERT_EQ(one.code, 0) << one.text;
    for (const auto& [options, start] : ways()) {
      SCOPED_TRACE(options + start + (list ? ", list" : ""));
      fs::remove_all(at("other"));
      const Ended r = umov(words + "other" + options, start);
      ASSERT_EQ(r.code, 0) << r.text;
      EXPECT_EQ(r.count("results: "), 1) << r.text;
      expect_same_numbers(at("one"), at("other"), {".info"}, list ? 0 : 1e-8);
      EXPECT_NE(text_of(at("other/log")).find("ranks: "), std::string::npos) << text_of(at("other/log"));
    }
  }
}

TEST_F(CommandsOnRanks, DdscatsParameterFile) {
  write("m.tab", test::constant_index("1.4", "0.03"));
  for (const bool list : {true, false}) {
    test::ParFile par;
    par.tolerance = "1.00e-10";
    if (list) par.radii = "0.1 0.2 2 'LIN'", par.theta = "0. 60. 2";
    write("ddscat.par", par.text());
    const std::string words = std::string("ddscat ddscat.par --cpu --no-pictures --no-hdf5 ") +
                              (list ? "--no-neighbours " : "") + "--output-dir ";
    fs::remove_all(at("one"));
    const Ended one = umov(words + "one");
    ASSERT_EQ(one.code, 0) << one.text;
    for (const auto& [options, start] : ways()) {
      SCOPED_TRACE(options + start + (list ? ", list" : ""));
      fs::remove_all(at("other"));
      const Ended r = umov(words + "other" + options, start);
      ASSERT_EQ(r.code, 0) << r.text;
      expect_same_numbers(at("one"), at("other"), {".avg", ".sca", "table"}, list ? 0 : 2e-4);
    }
  }
}

TEST_F(CommandsOnRanks, ABadInputIsSaidOnce) {
  write("control.input", test::control_file({{"Material 0", "stone"}}));
  write("ddscat.par", "no parameters\n");
  for (const auto& [options, start] : ways())
    for (const std::string words : {"adda -shape pyramids", "adda -grid 6 -m 1.2 0 -eps 1000 -maxiter no",
                                    "opendda control.input", "ddscat ddscat.par"}) {
      SCOPED_TRACE(words + options + start);
      const Ended r = umov(words + options, start);
      EXPECT_EQ(r.code, 2) << r.text;
      EXPECT_EQ(r.messages(), 1) << r.text;
    }
}

}  // namespace
}  // namespace umov::dda
