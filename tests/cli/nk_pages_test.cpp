// Pages of refractiveindex.info in every command that reads them: within their rows, and beyond those of k.
#include <gtest/gtest.h>

#include "support/program.hpp"

namespace {

using namespace umov;
using test::TemporaryFolder;

constexpr const char* page =
    "DATA:\n  - type: formula 1\n    wavelength_range: 0.2 6\n    coefficients: 0 1.1 0.09\n"
    "  - type: tabulated k\n    data: |\n        0.5 1e-3\n        0.6 2e-3\n        0.7 4e-3\n";

struct Answer {
  int code;
  std::string err;
  bool says(const std::string& words) const { return err.find(words) != err.npos; }
};

Answer answer(const std::string& line, const std::string& wavelength, const char* table = page) {
  TemporaryFolder folder;
  folder.write("p.yml", table);
  folder.write("p.nk", table);
  const std::string name = table == page ? "p.yml" : "p.nk";
  folder.write("time.toml",
               "[domain]\nsize = [4, 3]\nresolution = 10\n[[material]]\nname = \"p\"\n"
               "nk_file = \"" +
                   name +
                   "\"\n[[body]]\nshape = \"cylinder\"\nradius = 0.3\nmaterial = \"p\"\n"
                   "[[source]]\nfrequency = 1.6\nwaveform = \"gaussian\"\nwidth = 0.05\n"
                   "[[monitor]]\nkind = \"flux\"\ncenter = [0.8, 0]\nsize = [0, 0.6]\nwavelengths = [" +
                   wavelength + "]\n");
  folder.write("film.toml", "[harmonic]\nwavelengths = [" + wavelength +
                                "]\ncell = 0.01\n[[material]]\nname = \"p\"\nnk_file = \"" + name +
                                "\"\n[[layer]]\n"
                                "material = \"p\"\nthickness = 0.1\n");
  const auto ended = test::run(folder, line);
  return {ended.code, ended.err};
}

struct NkPages : testing::TestWithParam<const char*> {
  static std::string line(const std::string& wavelength) {
    std::string text = GetParam();
    if (const auto at = text.find('@'); at != text.npos) text.replace(at, 1, wavelength);
    return text;
  }
};

TEST_P(NkPages, IsReadWithinItsRowsAndRefusedBeyondThoseOfKWithTheirRange) {
  const Answer within = answer(line("0.62"), "0.62");
  EXPECT_EQ(within.code, 0) << within.err;
  for (const std::string beyond : {"0.9", "0.4"}) {
    const Answer refused = answer(line(beyond), beyond);
    EXPECT_EQ(refused.code, 2) << refused.err;
    EXPECT_TRUE(refused.says("from 0.5 to 0.7 um")) << refused.err;
    EXPECT_TRUE(refused.says("p.yml")) << refused.err;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Commands, NkPages,
    testing::Values("dda --eq-radius 0.05 --shape-grid 8 --m p.yml --lambda @ --backend serial "
                    "--no-pictures --no-hdf5",
                    "fdtd time.toml --dry-run", "fdtd film.toml --dry-run",
                    "materials --fit p.yml --wavelength @"));

struct NkInNm : testing::TestWithParam<const char*> {};

TEST_P(NkInNm, IsRefusedWithTheHeadingThatItLacks) {
  const std::string rows = "400 1.5 0.01\n600 1.55 0.012\n800 1.6 0.02\n",
                    headed = "wavelength (nm), n, k\n" + rows;
  const Answer refused = answer(GetParam(), "0.62", rows.c_str());
  EXPECT_EQ(refused.code, 2) << refused.err;
  EXPECT_TRUE(refused.says("look like nm")) << refused.err;
  EXPECT_TRUE(refused.says("'wavelength (nm), n, k'")) << refused.err;
  const Answer read = answer(GetParam(), "0.62", headed.c_str());  // the remedy is one
  EXPECT_EQ(read.code, 0) << read.err;
}

INSTANTIATE_TEST_SUITE_P(Commands, NkInNm,
                         testing::Values("dda --shape-grid 4 --m p.nk --lambda 0.62 --dry-run",
                                         "fdtd time.toml --dry-run", "fdtd film.toml --dry-run",
                                         "materials --fit p.nk --wavelength 0.62"));

TEST(HarmonicDryRun, RefusesASpectrumWithoutLightAsTheRunDoes) {
  TemporaryFolder folder;
  folder.write("light.txt", "300 1\n900 1\n");
  folder.write("film.toml",
               "[harmonic]\nwavelengths = [0.6]\ncell = 0.01\nspectrum = \"light.txt\"\n[[layer]]\n"
               "material = \"BK7\"\nthickness = 0.1\n");
  const auto planned = test::run(folder, "fdtd film.toml --dry-run"),
             run = test::run(folder, "fdtd film.toml");
  EXPECT_EQ(planned.code, 2);
  EXPECT_NE(planned.err.find("wavelength (nm), irradiance"), std::string::npos) << planned.err;
  EXPECT_EQ(planned.err, run.err);
}

}  // namespace
