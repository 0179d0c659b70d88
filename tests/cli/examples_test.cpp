// Every example still gives the numbers that stand beside it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "parameters/toml.hpp"
#include "support/adda_files.hpp"
#include "support/example_ranks.hpp"
#include "support/places.hpp"

namespace {

namespace fs = std::filesystem;
using umov::test::read_table;
using umov::test::Table;

using umov::test::repository;

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(repository() / "examples"))
    if (fs::exists(entry.path() / "case.toml") &&
        !toml::parse_file((entry.path() / "expected.toml").string()).contains("family"))
      names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

/// "Cext = 1.25" of ADDA's CrossSec files.
double cross_section(const fs::path& file, const std::string& key) {
  std::ifstream in(file);
  std::string name, sign;
  double value = NAN;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    if (words >> name >> sign && name == key && sign == "=" && words >> value) return value;
  }
  return NAN;
}

/// s11 and s12 of the row at `theta` degrees.
std::pair<double, double> scattering(const Table& table, double theta) {
  for (const auto& row : table.rows)
    if (std::abs(row[0] - theta) < 1e-9) return {row[1], row[2]};
  return {NAN, NAN};
}

using umov::test::ExampleOn;

class Example : public testing::TestWithParam<ExampleOn> {
 protected:
  void SetUp() override {
    if (!umov::test::can_run(GetParam()))
      GTEST_SKIP() << "its mpirun is not here, or umov was built without it";
    folder_ = fs::temp_directory_path() / fmt::format("umov_example_{}_{}", name(), getpid());
  }
  const std::string& name() const { return GetParam().name; }
  void TearDown() override { fs::remove_all(folder_); }

  /// Runs the case from the root of the repository, on one thread so that parallel tests do not collide.
  int run() const {
    const auto command =
        fmt::format("cd '{}' && {} '{}' dda examples/{}/case.toml --threads 1 --quiet --output-dir '{}' {}",
                    repository().string(), umov::test::before(GetParam()), umov::test::program_path(), name(),
                    folder_.string(), umov::test::after(GetParam()));
    return std::system(command.c_str());
  }

  fs::path folder_;
};

TEST_P(Example, GivesTheNumbersBesideIt) {
  const auto expected = toml::parse_file((repository() / "examples" / name() / "expected.toml").string());
  const double tolerance = expected["tolerance"].value<double>().value();
  ASSERT_EQ(run(), 0);
  int compared = 0;
  for (const char* file : {"CrossSec-Y", "CrossSec-X"}) {
    const auto* table = expected[file].as_table();
    if (!table) continue;
    for (const auto& [key, value] : *table) {
      const double wanted = value.value<double>().value();
      EXPECT_NEAR(cross_section(folder_ / file, std::string(key.str())), wanted, tolerance * std::abs(wanted))
          << file << " " << key.str();
      ++compared;
    }
  }
  const auto table = read_table(folder_ / "mueller");
  double forward = 0;
  for (const auto& node : *expected["mueller"]["rows"].as_array()) {
    const auto& row = *node.as_array();
    const auto number = [&](std::size_t i) { return row[i].value<double>().value(); };
    if (forward == 0) forward = number(1);
    const auto [s11, s12] = scattering(table, number(0));
    EXPECT_NEAR(s11, number(1), tolerance * forward) << "s11 at " << number(0);
    EXPECT_NEAR(s12, number(2), tolerance * forward) << "s12 at " << number(0);
    ++compared;
  }
  EXPECT_GE(compared, 3);
}

TEST_P(Example, LeavesAPictureAndSaysWhatItShows) {
  const auto home = repository() / "examples" / name();
  EXPECT_TRUE(fs::exists(home / "README.md"));
  EXPECT_TRUE(fs::exists(home / "overview.png"));
}

INSTANTIATE_TEST_SUITE_P(All, Example, testing::ValuesIn(umov::test::alone(example_names())),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(ValidateOnRanks, Example, testing::ValuesIn(umov::test::on_ranks(example_names())),
                         testing::PrintToStringParamName());

TEST(AddaScript, RunsUnchanged) {
  const auto folder = fs::temp_directory_path() / fmt::format("umov_adda_script_{}", getpid());
  const auto command = fmt::format("cd '{}' && ADDA='{} adda' examples/adda_script/run.sh '{}' >/dev/null",
                                   repository().string(), umov::test::program_path(), folder.string());
  ASSERT_EQ(std::system(command.c_str()), 0);
  // Mie theory gives 1.8030; sixteen dipoles across leave one per cent.
  EXPECT_NEAR(cross_section(folder / "size0.4" / "CrossSec-Y", "Qext"), 1.784, 1e-3);
  fs::remove_all(folder);
}

}  // namespace
