// n and k of a cell's materials: pages of refractiveindex.info, ranges, and where the numbers come from.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "harmonic/run/run.hpp"

namespace umov::harmonic {
namespace {

namespace fs = std::filesystem;

const std::string head = R"(# this file is part of refractiveindex.info database
# refractiveindex.info database is in the public domain
# copyright and related rights waived via CC0 1.0

REFERENCES: |
    A. Author.
    A crystal.
    <a href="https://doi.org/10.1"><i>J. Cryst.</i> <b>1</b>, 2 (1999)</a>
COMMENTS: |
    20 °C
DATA:
)";

std::string formula(int kind, const std::string& range, const std::string& coefficients) {
  return head + "  - type: formula " + std::to_string(kind) + "\n    wavelength_range: " + range +
         "\n    coefficients: " + coefficients + "\n";
}

class HarmonicMedia : public testing::Test {
 protected:
  HarmonicMedia() : file_(fs::temp_directory_path() / ("umov_media_" + std::to_string(getpid()) + ".yml")) {}
  ~HarmonicMedia() override { fs::remove(file_); }

  Media media(const std::string& page, double wavelength) const {
    std::ofstream(file_) << page;
    Simulation sim;
    sim.wavelengths = {wavelength};
    sim.materials.resize(1);
    sim.materials[0].name = "x";
    sim.materials[0].nk_file = file_.string();
    sim.substrate = "x";
    return Media(sim);
  }
  cplx index(const std::string& page, double wavelength) const {
    return std::sqrt(media(page, wavelength).permittivity("x", wavelength));
  }
  std::string refusal(const std::string& page, double wavelength) const {
    try {
      media(page, wavelength);
    } catch (const BadInput& e) {
      return e.what();
    }
    return "";
  }

  fs::path file_;
};

TEST_F(HarmonicMedia, FormulasOfTheDatabaseGiveKnownIndices) {
  // each with the index that its authors' tables or handbooks have, to the digits given there
  // fused silica, Malitson 1965: 1.4585 at the d line, 1.50745 at 0.25 um
  const std::string silica =
      formula(1, "0.21 6.7", "0 0.6961663 0.0684043 0.4079426 0.1162414 0.8974794 9.896161");
  EXPECT_NEAR(index(silica, 0.5876).real(), 1.45846, 2e-5);
  EXPECT_NEAR(index(silica, 0.25).real(), 1.50745, 2e-5);  // not between samples
  // air, Ciddor 1996: 1.00027717
  EXPECT_NEAR(index(formula(6, "0.23 1.69", "0 0.05792105 238.0185 0.00167917 57.362"), 0.5876).real(),
              1.00027717, 2e-8);
  // silver bromide, Schroter 1931: 2.253 at the D line
  EXPECT_NEAR(index(formula(8, "0.49 0.67", "0.452505 0.09939 0.070537 -0.00150"), 0.5893).real(), 2.253,
              5e-3);
  // silicon, Edwards and Ochoa 1980, near 10 um: 3.42
  EXPECT_NEAR(
      index(formula(7, "2.4373 25", "3.41983 0.159906 -0.123109 1.26878e-6 -1.95104e-9 0"), 10).real(), 3.42,
      5e-3);
  // urea, extraordinary ray, Rosker et al. 1985: 1.61 in the green
  EXPECT_NEAR(index(formula(9, "0.3 1.06", "2.51527 0.0240 0.0300 0.020 1.52 0.8771"), 0.532).real(), 1.61,
              5e-3);
}

TEST_F(HarmonicMedia, TheLogNamesFileRangeCitationAndLicence) {
  const auto sources = media(formula(5, "0.4 0.8", "1.5 0.01 -2"), 0.5).sources();
  ASSERT_EQ(sources.size(), 2u);
  EXPECT_NE(sources[1].find("0.4 to 0.8 um; A. Author. A crystal. J. Cryst. 1, 2 (1999); CC0 1.0"),
            std::string::npos)
      << sources[1];
}

TEST_F(HarmonicMedia, OutsideOfItsDataAMaterialIsRefusedWithTheRange) {
  EXPECT_NE(refusal(formula(5, "0.4 0.8", "1.5 0.01 -2"), 0.9).find("from 0.4 to 0.8 um"), std::string::npos);
  const std::string parts = head +
                            "  - type: tabulated n\n    data: |\n        0.3 1.5\n        2 1.4\n"
                            "  - type: tabulated k\n    data: |\n        0.5 0.1\n        1 0.2\n";
  EXPECT_EQ(refusal(parts, 0.75), "");
  EXPECT_NEAR(index(parts, 0.75).imag(), 0.15, 0.01);
  EXPECT_NE(refusal(parts, 0.4).find("from 0.5 to 1 um"), std::string::npos);  // there k is not known
  Simulation sim;
  sim.wavelengths = {1.5};
  sim.substrate = "a-Si:H";
  try {
    const Media media(sim);
    FAIL() << "not refused";
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find("from 0.3 to 1.2 um"), std::string::npos) << e.what();
  }
}

TEST_F(HarmonicMedia, AFormulaThatIsUnknownIsRefused) {
  EXPECT_NE(refusal(formula(10, "0.4 0.8", "1"), 0.5).find("formula 1 to 9"), std::string::npos);
}

}  // namespace
}  // namespace umov::harmonic
