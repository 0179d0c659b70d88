// Curves of materials that no run accepts: the line of the case is in the message.
#include <gtest/gtest.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "eqs/command/front.hpp"
#include "support/program.hpp"

namespace {

using namespace umov;
namespace fs = std::filesystem;

class EqsCurvePlaces : public testing::Test {
 protected:
  EqsCurvePlaces() { fs::current_path(folder_.path()); }
  ~EqsCurvePlaces() override { fs::current_path(home_); }

  /// Of a material whose `lines` begin in line 7.
  std::string refused(const std::string& lines) {
    folder_.write("case.toml",
                  "[geometry]\nkind = \"layers\"\nwidth = 1e-3\n[[material]]\n# a remark\nname = \"a\"\n" +
                      lines +
                      "\n[[layer]]\nregion = \"a\"\nthickness = 1e-3\n"
                      "[[electrode]]\nname = \"top\"\nkind = \"ground\"\n[time]\nend = 0.02\n");
    try {
      eqs::parse(std::vector<std::string>{"case.toml"});
    } catch (const BadInput& e) {
      return e.what();
    }
    return "accepted";
  }

  fs::path home_ = fs::current_path();
  test::TemporaryFolder folder_;
};

TEST_F(EqsCurvePlaces, AreNamed) {
  folder_.write("falls.csv", "# E, kappa\n0,1e-9\n\n1e5,-1\n");
  folder_.write("below.csv", "E (kV/m), kappa (S/m)\n-1,1e-9\n1e5,1e-8\n");
  folder_.write("bends.csv", "0,1e-9\n# a remark\n1e5,1e-8\n2e5,1e-9\n");
  const std::string place = "case.toml:7: conductivity of material 'a'";
  const std::pair<std::string, std::string> faults[] = {
      {"conductivity_table = [[1e5, 1e-12], [1e5, 2e-11]]", ", point 2: field 100000 V/m after"},
      {"conductivity_table = [[1e5, 1e-12]]", ": a table needs two points"},
      {"conductivity_table = \"falls.csv\"", ": falls.csv:4: value -1"},
      {"conductivity_table = \"below.csv\"", ": below.csv:2: negative field -1000 V/m"},
      {"conductivity_table = \"bends.csv\"", ": bends.csv:4: value 1e-09 after 1e-08"},
      {"conductivity_formula = \"1e-10 * (1 + (E / 2e5)^\"", ": formula"},
      {"conductivity_formula = \"exp(E)\"", " overflows at E ="},
      {"conductivity_formula = \"1e-10 * foo(E)\"", ": formula"},
      {"conductivity = \"microvaristor\"\nconductivity_parameters = [1e-10, 0.5, 1, 2]", ": p1 = 0.5"}};
  for (const auto& [lines, fault] : faults) {
    const std::string message = refused(lines);
    EXPECT_EQ(message.find(place + fault), 0u) << message;
  }
  EXPECT_EQ(refused("permittivity_formula = \"1 - E\"").find("case.toml:7: permittivity of material 'a'"),
            0u);
}

TEST_F(EqsCurvePlaces, ATableWithoutPointsIsNoConstant) {
  const std::string message = refused("conductivity_table = []");
  EXPECT_EQ(message.find("case.toml:7: 'conductivity_table' of material 1 is empty"), 0u) << message;
  EXPECT_EQ(refused("conductivity_table = [[1e5, 1e-12], [2e5, 1e-11]]"), "accepted");
}

TEST_F(EqsCurvePlaces, AnEmptyFormulaIsNoConstant) {
  for (const std::string key : {"conductivity_formula", "permittivity_formula"}) {
    const std::string message = refused(key + " = \"\"");
    EXPECT_EQ(message.find("case.toml:7: '" + key + "' of material 1 is empty"), 0u) << message;
    EXPECT_NE(refused(key + " = \"  \""), "accepted");
  }
}

}  // namespace
