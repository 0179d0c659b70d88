// The strict reader of columns: what it converts, and what it refuses with file and line.
#include "parameters/columns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "parameters/units.hpp"

namespace umov {
namespace {

namespace fs = std::filesystem;

const ColumnFormat curve{{{"E", "V/m"}, {"value", "S/m"}}, 0, true, 2};
const ColumnFormat nk{{{"wavelength", "um", "", true}, {"n", ""}, {"k", ""}}, 1};

class ColumnsTest : public testing::Test {
 protected:
  ColumnsTest() : file_(fs::path(testing::TempDir()) / ("columns" + std::to_string(getpid()) + ".csv")) {}
  ~ColumnsTest() override { fs::remove(file_); }

  Columns read(const std::string& text, const ColumnFormat& format = curve) {
    std::ofstream(file_, std::ios::binary) << text;
    return read_columns(file_.string(), format, "conductivity");
  }
  /// The message without the file's path: "7: ..." or "...".
  std::string refused(const std::string& text, const ColumnFormat& format = curve) {
    try {
      read(text, format);
    } catch (const BadInput& e) {
      const std::string said = e.what(), head = "conductivity: " + file_.string() + ":";
      EXPECT_EQ(said.rfind(head, 0), 0u) << said;
      return said.substr(head.size());
    }
    ADD_FAILURE() << "accepted: " << text;
    return "";
  }
  void expect_refused(const std::string& text, const std::string& part, const ColumnFormat& format = curve) {
    const std::string said = refused(text, format);
    EXPECT_NE(said.find(part), std::string::npos) << "'" << said << "' has no '" << part << "'";
  }
  fs::path file_;
};

TEST_F(ColumnsTest, EverySeparatorLineEndAndMarkGivesTheSameNumbers) {
  const std::vector<double> e{0, 1e5}, k{1.5e-12, 1.7e-11};
  for (const char* text :
       {"0,1.5e-12\n1e5,1.7e-11\n", "0;1.5e-12\n1e5;1.7e-11", "0 1.5e-12\r\n1e5   1.7e-11\r\n",
        "0\t1.5e-12\r1e5\t1.7e-11\r",
        "\xEF\xBB\xBF"
        "0 , 1.5e-12\n\n+1e5, 1.7e-11\n\n",
        "# a remark\n% another, with commas\nE;k\n0;1.5e-12\n# within\n1e5;1.7e-11\n",
        "\"field\",\"kappa\"\n0,1.5e-12\n1e5,1.7e-11\n", "My own curve\n0,1.5e-12\n1e5,1.7e-11\n"}) {
    const Columns c = read(text);
    EXPECT_EQ(c.value[0], e) << text;
    EXPECT_EQ(c.value[1], k) << text;
  }
}

TEST_F(ColumnsTest, UnitsOfTheHeadingConvert) {
  const std::string rows = "\n0,2\n10,3\n";
  const struct {
    const char* heading;
    double field, value;
  } cases[] = {
      {"E (kV/cm),kappa (S/m)", 1e5, 1},      {"E [MV/m], kappa [uS/cm]", 1e6, 1e-4},
      {"E (kV/mm);kappa (pS/m)", 1e6, 1e-12}, {"E in kV/cm, kappa in nS/m", 1e5, 1e-9},
      {"E / kV/cm, kappa / (S/m)", 1e5, 1},   {"E_kV/cm kappa_uS/m", 1e5, 1e-6},
      {"E (V/m) kappa (1/(Ohm m))", 1, 1},    {"kV/cm,S m^-1", 1e5, 1},
      {"# E (kV/cm), kappa (S/m)", 1e5, 1},   {"% kV/cm  \xC2\xB5S/m", 1e5, 1e-6},
      {"E,kappa\nkV/cm,S/m", 1e5, 1},         {"E,kappa\n(kV/cm),(S\xC2\xB7m\xE2\x81\xBB\xC2\xB9)", 1e5, 1}};
  for (const auto& c : cases) {
    const Columns got = read(c.heading + rows);
    EXPECT_DOUBLE_EQ(got.value[0][1], 10 * c.field) << c.heading;
    EXPECT_DOUBLE_EQ(got.value[1][1], 3 * c.value) << c.heading;
  }
  const ColumnFormat wave{{{"time", "s"}, {"value", "V"}}, 0, true, 2};
  EXPECT_DOUBLE_EQ(read("t_us,U_kV\n0,0\n1.2,325\n", wave).value[0][1], 1.2e-6);
  EXPECT_DOUBLE_EQ(read("t_us,U_kV\n0,0\n1.2,325\n", wave).value[1][1], 325e3);
  EXPECT_DOUBLE_EQ(read("t,A\n0,0\n1.2,325\n", wave).value[1][1], 325) << "one letter is a name";
}

TEST_F(ColumnsTest, RemarksWithQuantitiesAreNoHeadings) {
  const std::string rows = "\n0,2\n10,3\n";
  for (const char* remark :
       {"# measured at 20 kV/cm, sample 5 nS/m", "# tape A, sample 5 nS/m", "# up to 3 kV/mm"}) {
    const Columns got = read(remark + rows);
    EXPECT_EQ(got.value[0][1], 10) << remark;
    EXPECT_EQ(got.value[1][1], 3) << remark;
  }
  const ColumnFormat wave{{{"time", "s"}, {"value", "V"}}, 0, true, 2};
  for (const char* remark :
       {"# divider 1000:1, range 2 kV", "# scope: 10 ms, 5 V", "# dt = 10 us, range 2 kV"}) {
    const Columns got = read(remark + rows, wave);
    EXPECT_EQ(got.value[0][1], 10) << remark;
    EXPECT_EQ(got.value[1][1], 3) << remark;
  }
  expect_refused("# E up to 20 kV/cm, kappa in nS/m" + rows, "1: the remark speaks of");
  expect_refused("# units: kV/cm nS/m" + rows, "1: the remark speaks of kV/cm");
}

TEST_F(ColumnsTest, HeadingsWithUnitsThatCannotBeReadAreRefused) {
  for (const char* heading :
       {"E_V_m,kappa_nS_m", "E_V_per_m,kappa_nS_per_m", "E V per m,kappa nS per m", "E-V/m,kappa-nS/m",
        "E:V/m,kappa:nS/m", "E,kappa*1e9", "E_MVm,kappa_nSm", "E_MV_m,kappa_nS_m"})
    EXPECT_EQ(refused(heading + std::string("\n0,2\n10,3\n")).rfind("1: ", 0), 0u) << heading;
  for (const char* heading : {"E_mean,kappa_1", "E field,kappa", "x,y", "E_max,k_rms"})
    EXPECT_EQ(read(heading + std::string("\n0,2\n10,3\n")).value[1][1], 3) << heading;
}

TEST_F(ColumnsTest, WavelengthsComeFromEnergiesFrequenciesAndWavenumbersToo) {
  // hc = 1.239841984 eV um (CODATA 2018)
  EXPECT_NEAR(read("energy (eV), n, k\n2,1.5,0.1\n", nk).value[0][0], 1.239841984 / 2, 1e-9);
  EXPECT_DOUBLE_EQ(read("nm n k\n500 1.5 0.1\n", nk).value[0][0], 0.5);
  EXPECT_NEAR(read("f (THz), n\n500,1.5\n", nk).value[0][0], 0.599584916, 1e-9);
  EXPECT_NEAR(read("wavenumber (cm^-1), n\n1e4,1.5\n", nk).value[0][0], 1, 1e-15);
  EXPECT_NEAR(read("cm-1, n\n1e4,1.5\n", nk).value[0][0], 1, 1e-15);
  EXPECT_EQ(read("# lambda, n\n0.5 1.5\n", nk).value.size(), 2u);
  expect_refused("energy, n, k\n2,1.5,0.1\n", "1: 'energy' is headed without a unit", nk);
  expect_refused("energy (eV), n\n0,1.5\n", "2: 0 eV (it must be positive)", nk);
}

TEST_F(ColumnsTest, DecimalCommasAreRefusedWhateverPartsTheColumns) {
  for (const char* text : {"E;k\n0;1,5e-12\n1e5;1,7e-11\n", "E;k\n0;1e-12\n0,5;2e-12\n", "E\tk\n0\t1,5e-12\n",
                           "E k\n0,0 1,5e-12\n", "0,5;1,5\n1,5;2,5\n", "0 1e-12\n1,5 2e-12\n"})
    EXPECT_NE(refused(text).find("decimal commas"), std::string::npos) << refused(text);
  EXPECT_EQ(refused("E;k\n0;1,5e-12\n").rfind("2: ", 0), 0u);
  expect_refused("0,5,1,5e-12\n", "1: 4 columns (wanted: E (V/m), value (S/m))");
}

TEST_F(ColumnsTest, OtherNumbersOfColumnsAreRefused) {
  expect_refused("0,1e-12,3\n1e5,1e-11,3\n", "1: 3 columns (wanted: E (V/m), value (S/m))");
  expect_refused("E,k\n0,1\n1\n", "3: 1 columns");
  expect_refused("0;1\n1;2;\n", "2: 3 columns");
  expect_refused("0 1\n1 2 # remark\n", "2: 4 columns");
  expect_refused("0.5 1.5 0.1\n0.6 1.5\n", "2: 2 columns, but 3 in line 1", nk);
  expect_refused("0.5\n", "1: 1 columns (wanted: wavelength (um), n, k or without it)", nk);
  expect_refused("E (V/m), k (S/m), s (1)\n0,1\n", "1: 3 headings with a unit among them");
  expect_refused("nm,n,k\n500,1.5\n", "2: 2 columns, but line 1 names 3", nk);
}

TEST_F(ColumnsTest, WhatIsNoFiniteNumberIsRefused) {
  for (const char* word :
       {"nan", "inf", "-inf", "NaN", "1e999", "-1e400", "x", "1.5e", "0x10", "1d5", "--1", "1 2"})
    EXPECT_EQ(refused("0,1\n1," + std::string(word) + "\n").rfind("2: ", 0), 0u) << word;
  expect_refused("nan,nan\n0,1\n1,2\n", "1: 'nan' is no number (a finite number is wanted)");
  expect_refused("0,1\n1,1e999\n", "'1e999' is no number (it is beyond what a double holds)");
  expect_refused("E (kV/cm),k\n0,1\n1e306,2\n", "3: 1e+306 kV/cm is beyond what a double holds");
  expect_refused("0,1\nend of file\n", "2: ");
}

TEST_F(ColumnsTest, UnitsThatAreUnknownOrOfAnotherQuantityAreRefused) {
  const std::string rows = "\n0,2\n10,3\n";
  expect_refused("E (kV/inch),k (S/m)" + rows, "1: 'E (kV/inch)': unit 'kV/inch' (a unit that is not known");
  expect_refused("E (kV),k (S/m)" + rows, "1: 'E (kV)': unit 'kV' (E is in V/m");
  expect_refused("E / kV/inch,k" + rows, "1: 'E / kV/inch' has a unit that is not known");
  expect_refused("# E (kV/cm), k (A/V/inch)" + rows, "1: 'k (A/V/inch)'");
  expect_refused("# fields in kV/cm" + rows, "1: the remark speaks of kV/cm");
  const ColumnFormat samples{{{"time", "", "unit/c"}, {"value", ""}}, 0, true, 2};
  expect_refused("t (fs), E" + rows, "1: 't (fs)': unit 'fs' (time is in unit/c of the case", samples);
  EXPECT_EQ(read("t (unit / c), E" + rows, samples).value[0][1], 10);
}

TEST_F(ColumnsTest, AFirstColumnThatDoesNotIncreaseIsRefusedWithItsLine) {
  expect_refused("0,1\n2,2\n\n1,3\n", "4: E = 1 after 2 (it must increase");
  expect_refused("0,1\n0,2\n", "2: E = 0 after 0");
}

TEST_F(ColumnsTest, HeadingsBeyondOneAndFilesWithoutNumbersAreRefused) {
  expect_refused("E,k\nmore,words\n0,1\n1,2\n",
                 "2: 'more,words' is no row of numbers (line 1 is the heading already)");
  EXPECT_EQ(refused("").substr(1),
            "0 row(s) of numbers (2 or more are needed); write one per line: E (V/m), value (S/m)");
  EXPECT_NE(refused("# only\n").find("0 row(s)"), std::string::npos);
  EXPECT_NE(refused("0,1\n").find("1 row(s)"), std::string::npos);
  EXPECT_NE(refused(std::string("0,1\n1,2\0\n", 9)).find("zero bytes"), std::string::npos);
  EXPECT_NE(refused("\xFF\xFE"
                    "0")
                .find("UTF-16"),
            std::string::npos);
  EXPECT_THROW(read_columns(testing::TempDir(), curve, "x"), BadInput);
  EXPECT_THROW(read_columns("/nowhere/at.all", curve, "x"), BadInput);
}

TEST(Units, AreProductsOfPrefixedWordsWithPowers) {
  const auto factor = [](const char* text) { return parse_unit(text).value_or(Unit{0, {}}).factor; };
  EXPECT_DOUBLE_EQ(factor("kV/cm"), 1e5);
  EXPECT_DOUBLE_EQ(factor("mm"), 1e-3);
  EXPECT_DOUBLE_EQ(factor("m"), 1);
  EXPECT_DOUBLE_EQ(factor("cm^-1"), 100);
  EXPECT_DOUBLE_EQ(factor("V/(mm us)"), 1e9);
  EXPECT_DOUBLE_EQ(factor("1/(GOhm m)"), 1e-9);
  EXPECT_DOUBLE_EQ(factor("\xCE\xBCm"), 1e-6);
  EXPECT_TRUE(parse_unit("S/m")->same_kind(*parse_unit("1/(Ohm m)")));
  EXPECT_FALSE(parse_unit("V")->same_kind(*parse_unit("V/m")));
  for (const char* bad : {"", "x", "kk", "V//m", "(V", "V)", "m^", "m^-", "V/", "/m", "km/inch", "m^0", "2m"})
    EXPECT_FALSE(parse_unit(bad)) << bad;
}

}  // namespace
}  // namespace umov
