// The manual and the program's own help name the same options.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "fdtd/case/case.hpp"
#include "support/places.hpp"
#include "support/program.hpp"

namespace umov {
namespace {

namespace fs = std::filesystem;

std::string manual(const std::string& command) {
  return test::text_of(test::repository() / "docs/guide" / (command + ".md"));
}

TEST(FdtdManual, HasTheTablesOfTheProgram) {
  EXPECT_NE(manual("fdtd").find(fdtd::parameters().markdown()), std::string::npos)
      << "paste the output of `umov fdtd --help-markdown` into docs/guide/fdtd.md";
}

/// The long options that a help describes: two spaces, then "--name" or "-n,--name".
std::set<std::string> options_of(const std::string& help) {
  const std::regex option("\n  (?:-\\w,)?(--[a-z][a-z-]*)");
  std::set<std::string> found;
  for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at)
    if ((*at)[1] != "--help") found.insert((*at)[1]);
  return found;
}

class Manual : public testing::TestWithParam<const char*> {};

TEST_P(Manual, NamesEveryOptionOfTheCommand) {
  const test::TemporaryFolder folder;
  const std::string text = manual(GetParam());
  const auto options = options_of(test::run(folder, std::string(GetParam()) + " --help").out);
  EXPECT_GE(options.size(), 5u);
  for (const auto& option : options)
    EXPECT_TRUE(std::regex_search(text, std::regex(option + "(?![a-z-])"))) << option;
}

INSTANTIATE_TEST_SUITE_P(Commands, Manual, testing::Values("materials", "mie", "solve", "sweep"),
                         [](const auto& info) { return std::string(info.param); });

/// ADDA's options begin with one dash. `-store_*` in the manual stands for every option that begins so.
std::set<std::string> adda_options(const std::string& text, const std::regex& option) {
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), option), end; at != end; ++at)
    found.insert((*at)[1]);
  return found;
}

TEST(AddaManual, AndTheHelpNameTheSameOptions) {
  const test::TemporaryFolder folder;
  const auto helped =
      adda_options(test::run(folder, "adda -h").out, std::regex("\n  (-[A-Za-z]\\w*)(?= |\n)"));
  EXPECT_GE(helped.size(), 50u);
  std::string text = manual("adda");
  text = text.substr(0, text.find("## What differs"));
  const auto written = adda_options(text, std::regex("`(-[A-Za-z]\\w*\\*?)(?=[ `])"));
  for (const auto& option : helped)
    EXPECT_TRUE(written.count(option) || (option.starts_with("-store_") && written.count("-store_*")))
        << option << " is not in docs/guide/adda.md";
  for (const auto& option : written)
    EXPECT_TRUE(helped.count(option) || option == "-store_*") << option << " is not in the help";
}

}  // namespace
}  // namespace umov
