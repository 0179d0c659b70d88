// Every example of the families fdtd and eqs, and those of dda with a table of cases, still gives the numbers
// that stand beside it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "parameters/toml.hpp"
#include "support/example_ranks.hpp"
#include "support/places.hpp"

namespace {

namespace fs = std::filesystem;

fs::path examples() { return umov::test::repository() / "examples"; }

std::string family_of(const std::string& name) {
  const auto file = examples() / name / "expected.toml";
  return fs::exists(file) ? toml::parse_file(file.string())["family"].value_or(std::string()) : "";
}

/// Those that say `long = true` take more than half a minute and run with `make validate`.
std::vector<std::string> example_names(bool long_ones) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(examples()))
    if (!family_of(entry.path().filename()).empty())
      if (toml::parse_file((entry.path() / "expected.toml").string())["long"].value_or(false) == long_ones)
        names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  return words;
}

/// The value of `column` in the row whose `key` is nearest to `at`; columns by the name before their unit.
double table_value(const fs::path& file, const std::string& column, const std::string& key, double at) {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line) && line.starts_with('#')) {
  }
  const auto names = split(line);
  const auto find = [&](const std::string& wanted) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i].substr(0, names[i].find(" [")) == wanted) return i;
    ADD_FAILURE() << file << " has no column " << wanted;
    return std::size_t(0);
  };
  const std::size_t from = find(key), what = find(column);
  double best = INFINITY, value = NAN;
  while (std::getline(in, line)) {
    const auto words = split(line);
    const double distance = std::abs(std::stod(words.at(from)) - at);
    if (distance < best) best = distance, value = std::stod(words.at(what));
  }
  return value;
}

using umov::test::ExampleOn;

class FamilyExample : public testing::TestWithParam<ExampleOn> {
 protected:
  void SetUp() override {
    if (!umov::test::can_run(GetParam()))
      GTEST_SKIP() << "its mpirun is not here, or umov was built without it";
    folder_ = fs::temp_directory_path() / fmt::format("umov_family_example_{}_{}", name(), getpid());
  }
  const std::string& name() const { return GetParam().name; }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_P(FamilyExample, GivesTheNumbersBesideIt) {
  const auto home = examples() / name();
  const auto expected = toml::parse_file((home / "expected.toml").string());
  const bool swept = family_of(name()) == "sweep";
  const bool on_devices = family_of(name()) != "modes";
  const std::string arguments = expected["arguments"].value_or(std::string("case.toml"));
  const auto command =
      fmt::format("cd '{}' && {} '{}' {} {} {} --quiet {} --output-dir '{}' {} 2>/dev/null", home.string(),
                  umov::test::before(GetParam()), umov::test::program_path(), family_of(name()), arguments,
                  on_devices ? "--cpu" : "", swept ? "" : "--no-pictures", folder_.string(),
                  umov::test::after(GetParam()));
  ASSERT_EQ(std::system(command.c_str()), 0);
  const auto& values = *expected["value"].as_array();
  ASSERT_GE(values.size(), 1u);
  for (const auto& node : values) {
    const auto& v = *node.as_table();
    const auto text = [&](const char* name) { return v[name].value<std::string>().value(); };
    const auto number = [&](const char* name) { return v[name].value<double>().value(); };
    const double wanted = number("expected");
    EXPECT_NEAR(table_value(folder_ / text("file"), text("column"), text("key"), number("at")), wanted,
                number("tolerance") * std::abs(wanted))
        << text("file") << " " << text("column") << " at " << number("at");
  }
}

TEST_P(FamilyExample, LeavesAPictureAndSaysWhatItShows) {
  EXPECT_TRUE(fs::exists(examples() / name() / "README.md"));
  EXPECT_TRUE(fs::exists(examples() / name() / "overview.png"));
}

INSTANTIATE_TEST_SUITE_P(All, FamilyExample, testing::ValuesIn(umov::test::alone(example_names(false))),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(Validate, FamilyExample, testing::ValuesIn(umov::test::alone(example_names(true))),
                         testing::PrintToStringParamName());
/// A sweep is started once: its cases are what goes side by side, and so are the runs for S-parameters. Modes
/// are found by threads of one process.
std::vector<std::string> ranked_names() {
  auto names = example_names(false);
  std::erase_if(names, [](const std::string& name) {
    if (family_of(name) == "sweep" || family_of(name) == "modes") return true;
    const auto file = examples() / name / "case.toml";
    return fs::exists(file) && toml::parse_file(file.string()).contains("s_parameters");
  });
  return names;
}

INSTANTIATE_TEST_SUITE_P(ValidateOnRanks, FamilyExample,
                         testing::ValuesIn(umov::test::on_ranks(ranked_names())),
                         testing::PrintToStringParamName());

}  // namespace
