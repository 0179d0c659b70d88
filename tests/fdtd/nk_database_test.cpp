// Pages of the refractiveindex.info database: their formulas, blocks and ranges.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "core/error.hpp"
#include "fdtd/model/validate.hpp"
#include "materials/nk_axes.hpp"
#include "support/fdtd_runs.hpp"
#include "support/temp_folder.hpp"

namespace {

using namespace umov;
using namespace umov::materials;

struct NkPage : testing::Test {
  test::TempFolder folder;

  std::string write(const std::string& text) const {
    std::ofstream(folder / "p.yml") << text;
    return folder / "p.yml";
  }
  NkTable read(const std::string& blocks) const { return read_nk(write("DATA:\n" + blocks)); }
  std::string refusal(const std::string& blocks) const { return refusal_of_page("DATA:\n" + blocks); }
  std::string refusal_of_page(const std::string& text) const {
    try {
      read_nk(write(text));
    } catch (const BadInput& e) {
      return e.what();
    }
    return "accepted";
  }
  static std::string formula(int kind, const std::string& coefficients,
                             const std::string& range = "0.4 0.9") {
    return "  - type: formula " + std::to_string(kind) + "\n    wavelength_range: " + range +
           "\n    coefficients: " + coefficients + "\n";
  }
  static std::string k_rows(const std::string& rows) { return "  - type: tabulated k\n    data: |\n" + rows; }
};

/// So many coefficients of which every formula makes an index.
std::string coefficients(int kind, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i ? " " : "") + std::string(i == 0 && kind != 8 ? "1.5" : "0.01");
  return text;
}

bool mentions(const std::string& text, const std::string& words) { return text.find(words) != text.npos; }

// The counts are those of the database's own "Dispersion formulas", in whole terms; its pages of formula 7
// have five (Si, Edwards).
TEST_F(NkPage, EachFormulaTakesItsNumbersOfCoefficientsAndNoOther) {
  const std::vector<std::vector<int>> right{{},
                                            {1, 3, 5, 7, 9, 11, 13, 15, 17},
                                            {1, 3, 5, 7, 9, 11, 13, 15, 17},
                                            {1, 3, 5, 7, 9, 11, 13, 15, 17},
                                            {1, 5, 9, 11, 13, 15, 17},
                                            {1, 3, 5, 7, 9, 11},
                                            {1, 3, 5, 7, 9, 11},
                                            {5, 6},
                                            {4},
                                            {6}};
  for (int kind = 1; kind <= 9; ++kind)
    for (int count = 1; count <= 20; ++count) {
      const std::string words = refusal(formula(kind, coefficients(kind, count)));
      const bool wanted = std::ranges::count(right[std::size_t(kind)], count) > 0;
      EXPECT_EQ(words == "accepted", wanted) << "formula " << kind << ", " << count << ": " << words;
      if (!wanted) {
        EXPECT_TRUE(mentions(words, "p.yml:4: " + std::to_string(count) + " coefficients for formula " +
                                        std::to_string(kind) + " (it has "))
            << words;
      }
    }
}

TEST_F(NkPage, FormulasGiveTheIndexOfTheirDefinition) {
  const double w = 0.6, w2 = w * w;
  const auto n = [&](int kind, const std::string& c) { return read(formula(kind, c)).at(w).real(); };
  EXPECT_NEAR(n(1, "0.5 1.1 0.1"), std::sqrt(1.5 + 1.1 * w2 / (w2 - 0.01)), 1e-14);
  EXPECT_NEAR(n(2, "0.5 1.1 0.1"), std::sqrt(1.5 + 1.1 * w2 / (w2 - 0.1)), 1e-14);
  EXPECT_NEAR(n(3, "2 0.1 -2"), std::sqrt(2 + 0.1 / w2), 1e-14);
  EXPECT_NEAR(n(4, "2 0.2 1 0.1 2"), std::sqrt(2 + 0.2 * w / (w2 - 0.01)), 1e-14);
  EXPECT_NEAR(n(4, "2 0.2 1 0.1 2 0.3 0 0.02 1 0.1 2"),
              std::sqrt(2 + 0.2 * w / (w2 - 0.01) + 0.3 / (w2 - 0.02) + 0.1 * w2), 1e-14);
  EXPECT_NEAR(n(5, "1.4 0.01 -2"), 1.4 + 0.01 / w2, 1e-14);
  EXPECT_NEAR(n(6, "0 0.05 180"), 1 + 0.05 / (180 - 1 / w2), 1e-14);
  EXPECT_NEAR(n(7, "3 0.1 0.01 0.1 0.2"),
              3 + 0.1 / (w2 - 0.028) + 0.01 / std::pow(w2 - 0.028, 2) + 0.1 * w2 + 0.2 * w2 * w2, 1e-14);
}

TEST_F(NkPage, KIsNotKnownBeyondItsRows) {
  const auto t = read(formula(1, "0 0.7 0.07", "0.2 6.7") + k_rows("        0.5 1e-3\n        0.7 4e-3\n"));
  EXPECT_DOUBLE_EQ(t.first(), 0.5);
  EXPECT_DOUBLE_EQ(t.last(), 0.7);
  EXPECT_NEAR(t.at(0.6).imag(), 2.5e-3, 1e-15);
  EXPECT_NEAR(t.at(0.6).real(), std::sqrt(1 + 0.7 * 0.36 / (0.36 - 0.0049)), 1e-14);
  for (const double um : {0.3, 0.49, 0.71, 0.9}) try {
      t.at(um);
      FAIL() << um;
    } catch (const BadInput& e) {
      EXPECT_TRUE(
          mentions(e.what(), "are from 0.5 to 0.7 um: n reaches from 0.2 to 6.7 um, k from 0.5 to 0.7 um"))
          << e.what();
    }
  // Rows of n that end before those of k, in a page and in the exported columns.
  const auto rows = read("  - type: tabulated n\n    data: |\n        0.5 1.5\n        0.6 1.6\n" +
                         k_rows("        0.4 0\n        0.9 0.1\n"));
  EXPECT_DOUBLE_EQ(rows.last(), 0.6);
  EXPECT_THROW(rows.at(0.7), BadInput);
  std::ofstream(folder / "t.csv") << "wl,n\n0.3,1.5\n0.9,1.5\nwl,k\n0.5,0.1\n0.7,0.1\n";
  EXPECT_THROW(read_nk(folder / "t.csv").at(0.8), BadInput);
  EXPECT_THROW(read_nk_axes(folder / "t.csv")[1].at(0.4), BadInput);
}

TEST_F(NkPage, ABlockSaysWhatItIs) {
  const std::string f = formula(5, "1.5");
  EXPECT_TRUE(mentions(refusal(f + "  - data: |\n        0.5 1e-3\n        0.7 4e-3\n"),
                       "p.yml:5: a block without a type"));
  EXPECT_TRUE(
      mentions(refusal(f + "  -\n    data: |\n        0.5 1e-3\n"), "p.yml:5: a block without a type"));
  for (const char* type :
       {"tabulated n2", "tabulated", "formula", "formula 0", "formula 10", "formula A", "k"})
    EXPECT_TRUE(mentions(refusal(std::string("  - type: ") + type + "\n"),
                         std::string("p.yml:2: type '") + type + "' (known: "))
        << type;
  EXPECT_EQ(refusal("  - type: \"formula 5\"\n    range: 0.4 0.9\n    coefficients: 1.5\n"), "accepted")
      << "quoted, and the older name of the range";
}

TEST_F(NkPage, NAndKComeFromOneBlockEach) {
  const std::string n = "  - type: tabulated n\n    data: |\n        0.5 1.5\n        0.6 1.6\n";
  EXPECT_TRUE(mentions(refusal(n + n), "p.yml:6: n a second time (the block in line 2"));
  EXPECT_TRUE(mentions(refusal(formula(5, "1.5") + n), "p.yml:5: n a second time"));
  EXPECT_TRUE(mentions(refusal(n + k_rows("0.5 0\n0.6 0\n") + k_rows("0.5 0\n0.6 0\n")), "k a second time"));
  EXPECT_TRUE(mentions(refusal(n + "  - type: tabulated nk\n    data: |\n 0.5 1.5 0\n 0.6 1.5 0\n"),
                       "n a second time"));
  EXPECT_TRUE(mentions(refusal(k_rows("0.5 0\n0.6 0\n")), "k without n"));
  EXPECT_TRUE(mentions(refusal(n + k_rows("0.8 0\n0.9 0\n")), "no wavelengths in common (n reaches"));
}

TEST_F(NkPage, BadRowsAndNumbersAreNamedWithTheirLine) {
  const auto n = [](const std::string& rows) { return "  - type: tabulated n\n    data: |\n" + rows; };
  EXPECT_TRUE(mentions(refusal(n("0.5 1.5\n0.6 x\n")), "p.yml:5: '0.6 x' is no row of numbers"));
  EXPECT_TRUE(mentions(refusal(n("0.5 1.5\n0.6 nan\n")), "p.yml:5: '0.6 nan' is no row of numbers"));
  EXPECT_TRUE(mentions(refusal(n("0.5 1.5\n0.6 inf\n")), "p.yml:5: "));
  EXPECT_TRUE(mentions(refusal(n("0.5 1.5\n0.6 1.5 0.1\n")), "p.yml:5: 3 numbers"));
  EXPECT_TRUE(mentions(refusal(n("0.5 1.5\n0.5 1.6\n")), "0.5 um occurs twice"));
  EXPECT_TRUE(mentions(refusal(n("0.5 -1.5\n0.6 1.5\n")), "p.yml:4: n = -1.5"));
  EXPECT_TRUE(mentions(refusal(formula(5, "1.5 nan 2")), "p.yml:4: '1.5 nan 2' are no numbers"));
  EXPECT_TRUE(mentions(refusal(formula(5, "1.5", "0.9 0.4")), "p.yml:3: its wavelength_range"));
  EXPECT_TRUE(mentions(refusal(formula(5, "1.5", "0.4")), "p.yml:3: its wavelength_range"));
  EXPECT_TRUE(mentions(refusal("  - type: tabulated n\n"), "p.yml:2: no rows in this block"));
  const auto falling = read(n("0.7 1.4\n0.6 1.5\n0.5 1.6\n"));
  EXPECT_DOUBLE_EQ(falling.at(0.65).real(), 1.45) << "falling rows are sorted";
}

TEST_F(NkPage, RemarksOfYamlAreNoPartOfIt) {
  const NkTable plain =
      read("  - type: tabulated nk\n    data: |\n        0.4 1.5 0.1\n        0.8 1.6 0.2\n");
  const NkTable told = read_nk(
      write("---\n# a page\nREFERENCES: \"Somebody, J. Opt. #3\" # where\n# between\nDATA:  # the data\n"
            "  # first\n  - type: tabulated nk # of a film\n    data: | # rows\n        # head\n"
            "        0.4 1.5 0.1 # low\n        0.8 1.6 0.2\t# high\n...\n"));
  EXPECT_EQ(told.wavelength_um, plain.wavelength_um);
  EXPECT_EQ(told.n, plain.n);
  EXPECT_EQ(told.k, plain.k);
  EXPECT_EQ(told.citation, "Somebody, J. Opt. #3");
  const NkTable formula = read(
      "  - type: \"formula 1\" # Sellmeier\n    wavelength_range: 0.4 0.9 # um\n    coefficients: 0 1.2 0.01 "
      "# A\n");
  EXPECT_EQ(formula.formula.coefficients, (std::vector<double>{0, 1.2, 0.01}));
  EXPECT_DOUBLE_EQ(formula.last(), 0.9);
  // without a blank before it, it is none
  EXPECT_TRUE(
      mentions(refusal("  - type: tabulated n\n    data: |\n        0.4 1.5#\n"), "no row of numbers"));
}

TEST_F(NkPage, OtherSectionsMayHaveListsOfTheirOwn) {
  const std::string text = "PROPERTIES:\n    hardness:\n      - type: Knoop\n        value: 4e9\nDATA:\n" +
                           formula(5, "1.5") + "CONDITIONS:\n    temperature: 296\nPROPERTIES:\n" +
                           "    thermal_dispersion:\n      - type: formula A\n        coefficients: 1 2 3\n";
  EXPECT_EQ(refusal_of_page(text), "accepted");
  EXPECT_TRUE(mentions(refusal_of_page("NAMES:\n    - water\n"), "no DATA"));
}

TEST_F(NkPage, ARunThatAsksBeyondThePageIsStopped) {
  using fdtd::Finding;
  fdtd::Simulation s = test::checked_case({6, 5, 0}, 20);
  fdtd::MaterialSpec m;
  m.name = "page";
  m.nk_file = write("DATA:\n" + formula(5, "1.5", "0.4 2") + k_rows("0.9 1e-3\n1 1e-3\n1.1 1e-3\n"));
  s.materials = {m};
  s.bodies = {test::ball("cylinder", "page", 0.5)};
  s.sources = {test::point_source(test::pulse(1, 0.05), fdtd::Ez, {-1, 0, 0})};
  const auto stops = [&](double frequency) {
    s.monitors = {test::flux_through("T", {1, 0, 0}, {0, 1, 0}, {frequency})};
    const auto scene = make_scene(s);
    for (const Finding& f : validate(s, *scene, make_grid(s, *scene)))
      if (mentions(f.message, "material 'page': monitor 'T' asks at"))
        return f.severity == Finding::Severity::stop;
    return false;
  };
  EXPECT_FALSE(stops(1 / 0.95));
  EXPECT_TRUE(stops(1 / 0.8));
  EXPECT_TRUE(stops(1 / 1.2));
}

}  // namespace
