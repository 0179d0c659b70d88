// Cases of time-harmonic cells: what they become, what is refused, and what a run makes of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "commands/fdtd.hpp"
#include "core/error.hpp"
#include "harmonic/command/command.hpp"
#include "harmonic/glass_cell.hpp"
#include "harmonic/output/results.hpp"
#include "harmonic/run/run.hpp"
#include "harmonic/sunlight.hpp"
#include "harmonic/texture.hpp"
#include "pictures/canvas.hpp"
#include "support/places.hpp"

namespace umov::harmonic {
namespace {

namespace fs = std::filesystem;

class HarmonicCase : public testing::Test {
 protected:
  HarmonicCase() : folder_(fs::temp_directory_path() / ("umov_harmonic_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~HarmonicCase() override { fs::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  Simulation parsed(const std::string& text, std::vector<std::string> flags = {}) {
    flags.insert(flags.begin(), file("case.toml", text));
    return parse(flags).simulation;
  }
  /// What the refusal says; "" without one.
  std::string refusal(const std::string& text) {
    try {
      (void)run(parsed(text));
    } catch (const BadInput& e) {
      return e.what();
    }
    return "";
  }

  fs::path folder_;
};

const std::string glass_cell = R"([harmonic]
wavelengths = [0.55]
superstrate = "glass"
substrate = "metal"
cell = 0.004
[[material]]
name = "glass"
index = 1.5251
[[material]]
name = "oxide"
index = 1.8559
extinction = 0.00166
[[material]]
name = "silicon"
index = 4.6262
extinction = 0.31576
[[material]]
name = "metal"
index = 0.0490
extinction = 3.248
[[layer]]
name = "front"
material = "oxide"
thickness = 0.5
[[layer]]
name = "absorber"
material = "silicon"
thickness = 0.3
[[layer]]
name = "back"
material = "oxide"
thickness = 0.08
)";

TEST_F(HarmonicCase, AFlatCellGivesTheExactPowersAndSaysTheErrorOfItsFields) {
  const Outcome o = run(parsed(glass_cell));
  const GlassCell exact = glass_cells()[0];
  ASSERT_EQ(o.spectra.size(), 2u);
  for (const auto& s : o.spectra) {
    const SpectrumPoint& p = s.points[0];
    EXPECT_GT(p.grid_error, 1e-5);
    EXPECT_LT(p.grid_error, 5e-3);
    // the rounding of the numbers of the other program, see transfer_matrix_test.cpp
    EXPECT_NEAR(p.budget.reflection, exact.reflection, 3e-4);
    EXPECT_NEAR(p.budget.absorption[2], exact.absorber, 3e-4);
    EXPECT_NEAR(p.budget.absorption[4], exact.silver, 3e-4);
    EXPECT_EQ(p.budget.transmission, 0);  // silver absorbs what enters it
    EXPECT_NEAR(p.budget.sum(), 1, 1e-12);
  }
}

// A gold film between glass and air where it guides a plasmon: the grid's own powers are off by half a per
// cent there, those that are given are those of the stack; profiles and orders add up to them.
TEST_F(HarmonicCase, AMetalFilmAtItsPlasmonGivesTheExactPowers) {
  for (const char* substrate : {"vacuum", "wet"}) {
    const Outcome o = run(parsed(fmt::format(R"(
[harmonic]
wavelengths = [0.78]
angle = "41:47:13"
polarization = "both"
superstrate = "glass"
substrate = "{}"
cell = 0.006
period = [0.1]
orders = true
[[material]]
name = "glass"
index = 1.52
[[material]]
name = "wet"
index = 1.02
extinction = 0.01
[[material]]
name = "au"
index = 0.16
extinction = 4.74
[[layer]]
material = "au"
thickness = 0.0471
)",
                                             substrate)));
    const bool absorbs = std::string(substrate) == "wet";
    const cplx below = absorbs ? cplx(1.02, 0.01) : cplx(1), gold(0.16, 4.74);
    const layers::FlatStack stack{1.52 * 1.52, {{0.0471, gold * gold}}, below * below};
    double worst = 0;
    for (const auto& s : o.spectra)
      for (std::size_t r = 0; r < o.rows.size(); ++r) {
        const SpectrumPoint& p = s.points[r];
        const auto exact = flat_response(stack, 0.78, o.rows[r].incidence.angle * pi / 180, s.polarization);
        EXPECT_NEAR(p.budget.reflection, exact.reflection, 1e-12);
        EXPECT_NEAR(p.budget.absorption[1], exact.absorption[0], 1e-12);
        EXPECT_NEAR(p.budget.transmission, absorbs ? 0 : exact.transmission, 1e-12);
        EXPECT_NEAR(p.efficiency(false), exact.reflection, 1e-12);
        double profile = 0;
        for (const double density : p.budget.density[1]) profile += density * o.grid.spacing[2];
        EXPECT_NEAR(profile, exact.absorption[0], 1e-9);
        worst = std::max(worst, p.grid_error);
      }
    EXPECT_GT(worst, 1e-3);  // the grid alone would miss them
    EXPECT_NE(summary_text(o).find("powers are exact"), std::string::npos);
  }
}

TEST_F(HarmonicCase, TheResolvedCaseIsReadBackAsItIs) {
  const auto first =
      parsed(glass_cell + "[[texture]]\nabove = \"absorber\"\nrms = 0.02\ncorrelation_length = 0.1\n",
             {"--period", "0.6", "--angle", "12.5"});
  const std::string text = resolved_toml(first);
  EXPECT_EQ(resolved_toml(parsed(text)), text);
  EXPECT_NE(text.find("12.5"), std::string::npos);
}

TEST_F(HarmonicCase, TheManualHasTheTablesOfTheProgram) {
  std::ifstream in(test::repository() / "docs/guide/harmonic.md");
  const std::string manual{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(manual.find(parameters().markdown()), std::string::npos)
      << "paste the output of `umov harmonic --help-markdown` into docs/guide/harmonic.md";
}

TEST_F(HarmonicCase, ConformalRoughnessIsTheSameOnBothSidesOfALayer) {
  const auto sim = parsed(glass_cell + R"([[texture]]
above = "absorber"
rms = 0.02
correlation_length = 0.1
[[texture]]
above = "back"
kind = "conformal"
)",
                          {"--period", "0.5"});
  const auto cell = make_cell(sim, Media(sim));
  std::vector<double> depths;
  for (int i = 0; i < cell.grid.nx; ++i) {
    cell.interfaces_at(0, i, 0, depths);
    EXPECT_NEAR(depths[2] - depths[1], 0.3, 1e-12);  // the absorber's thickness
    EXPECT_NEAR(depths[3], 0.88, 1e-12);             // the substrate stays flat
  }
  EXPECT_NE(cell.interfaces[1].height[0], cell.interfaces[1].height[40]);
}

TEST_F(HarmonicCase, OnlyACaseWithItsTableIsMeantByTheCommandOfTheTimeDomain) {
  const std::vector<std::string> own{file("a.toml", glass_cell)},
      other{file("b.toml", "[domain]\nsize = [1, 1]\n")}, flag{"--harmonic", "--help"},
      missing{"nowhere.toml"};
  EXPECT_TRUE(commands::is_harmonic(own));
  EXPECT_FALSE(commands::is_harmonic(other));
  EXPECT_TRUE(commands::is_harmonic(flag));
  EXPECT_FALSE(commands::is_harmonic(missing));
}

TEST_F(HarmonicCase, ARangeOfWavelengthsIsEvenAndAListOnTheCommandLineReplacesIt) {
  std::string text = glass_cell;
  text.replace(text.find("wavelengths = [0.55]"), 20,
               "wavelength_from = 0.4\nwavelength_to = 0.8\nwavelength_count = 5");
  EXPECT_EQ(parsed(text).wavelengths.size(), 5u);
  EXPECT_NEAR(parsed(text).wavelengths[1], 0.5, 1e-12);
  EXPECT_EQ(parsed(text, {"--wavelengths", "0.6"}).wavelengths, std::vector<double>{0.6});
}

TEST_F(HarmonicCase, RefusalsNameThePlaceAndTheWayOut) {
  const auto with = [&](const std::string& more) { return refusal(glass_cell + more); };
  EXPECT_NE(refusal("[harmonic]\nangle = 3\n").find("there is no wavelength"), std::string::npos);
  EXPECT_NE(refusal("[harmonic]\nwavelengths = [0.5]\nsuperstrate = \"silver\"\n").find("absorbs at 0.5 um"),
            std::string::npos);
  EXPECT_NE(refusal("[harmonic]\nwavelengths = [0.5]\nsubstrate = \"silvr\"\n").find("silver"),
            std::string::npos);
  EXPECT_NE(refusal("[harmonic]\nwavelengths = [0.5]\nwavelenths = [0.5]\n").find("case.toml:3"),
            std::string::npos);
  EXPECT_NE(with("[[layer]]\nmaterial = \"oxide\"\n").find("has no thickness"), std::string::npos);
  EXPECT_NE(with("[[material]]\nname = \"x\"\n").find("in no way"), std::string::npos);
  EXPECT_NE(with("[[texture]]\nabove = \"nothing\"\n").find("there is no layer 'nothing'"),
            std::string::npos);
  EXPECT_NE(
      with("[[texture]]\nabove = \"back\"\nrms = 0.1\ncorrelation_length = 0.1\n").find("needs a period"),
      std::string::npos);
  EXPECT_NE(with("[[texture]]\nabove = \"back\"\nkind = \"picture\"\nrms = 0.1\n")
                .find("only a gaussian texture reads it"),
            std::string::npos);
}

TEST_F(HarmonicCase, TheMethodIsChosenAndSaysWhatItDid) {
  std::string text = glass_cell;
  text.replace(text.find("cell = 0.004"), 12, "cell = 0.012");
  const Outcome layered = run(parsed(text, {"--method", "layered", "--polarization", "s"}));
  const Outcome marched =
      run(parsed(text, {"--method", "pseudo_time", "--polarization", "s", "--eps", "1e-6"}));
  ASSERT_TRUE(marched.converged) << marched.why_not;
  EXPECT_GT(marched.spectra[0].points[0].iterations, 1000);
  EXPECT_NEAR(marched.spectra[0].points[0].budget.absorption[2],
              layered.spectra[0].points[0].budget.absorption[2], 1e-5);
  EXPECT_NE(log_text(marched).find("steps of pseudo-time"), std::string::npos);
  const Outcome cut =
      run(parsed(text, {"--method", "pseudo_time", "--max-steps", "50", "--polarization", "s"}));
  EXPECT_FALSE(cut.converged);
  EXPECT_NE(cut.why_not.find("steps of pseudo-time"), std::string::npos) << cut.why_not;
  EXPECT_NE(refusal(text.insert(text.find("cell = "), "method = \"layered\"\nmax_steps = 10\n"))
                .find("the method takes no steps"),
            std::string::npos);
}

TEST_F(HarmonicCase, ATableOfNkIsRefusedOutsideItsWavelengths) {
  const std::string nk = file("nk.txt", "0.5 2 0\n0.6 2.2 0.2\n");
  const auto text = [&](double w) {
    return "[harmonic]\nwavelengths = [" + std::to_string(w) +
           "]\nsubstrate = \"x\"\n[[material]]\nname = \"x\"\nnk_file = \"" + nk + "\"\n";
  };
  EXPECT_NE(refusal(text(0.7)).find("from 0.5 to 0.6 um"), std::string::npos);
  const auto sim = parsed(text(0.55));
  const cplx n = std::sqrt(Media(sim).permittivity("x", 0.55));
  EXPECT_NEAR(n.real(), 2.1, 1e-12);  // half way
  EXPECT_NEAR(n.imag(), 0.1, 1e-12);
}

TEST_F(HarmonicCase, APictureIsHeightsWithWhiteNearestToTheLight) {
  const auto path = (folder_ / "steps.png").string();
  {
    // the left half black, the right half white; the sheet is drawn at two pixels per unit
    pictures::Canvas sheet(20, 4);
    sheet.rectangle({0, 0, 10, 4}, {0, 0, 0});
    sheet.write_png(path);
  }
  TextureSpec t;
  t.kind = TextureKind::picture;
  t.file = path;
  t.height = 0.1;
  const auto h = height_map(t, 20, 1, 1, 0);
  ASSERT_EQ(h.size(), 40u);
  EXPECT_NEAR(h[10], 0.05, 1e-12);   // black lies deeper, z points down; the mean is 0
  EXPECT_NEAR(h[30], -0.05, 1e-12);  // white
  EXPECT_NEAR(h[0], 0, 1e-12);       // half way across the edge, which is periodic
}

TEST_F(HarmonicCase, ASpectrumFileReplacesSunlight) {
  // nm and a heading; constant irradiance of 1 W/m^2/um between 0.5 and 0.6 um
  const std::string light = file("light.csv", "wavelength (nm),irradiance (W/m^2/um)\n500,1\n600,1\n");
  std::string text = glass_cell;
  text.replace(text.find("[0.55]"), 6, "[0.5, 0.6]\nspectrum = \"" + light + "\"");
  const Outcome o = run(parsed(text));
  const double photons = (0.36 - 0.25) / 2 / (6.62607015e-34 * 299792458 * 1e6);
  EXPECT_NEAR(o.available_current, photons * current_per_photon, 1e-9 * photons * current_per_photon);
  double sum = 0;
  for (const double c : o.sunlit.at(0).currents) sum += c;
  EXPECT_LT(sum, o.available_current);
  EXPECT_GT(sum, 0.5 * o.available_current);
  EXPECT_NE(refusal(text.replace(text.find("light.csv"), 9, "dark.csv")).find("dark.csv"), std::string::npos);
}

TEST_F(HarmonicCase, ResultsAreWrittenInEveryFormat) {
  const auto out = (folder_ / "out").string();
  std::string text = glass_cell;
  text.replace(text.find("[0.55]"), 6, "[0.54, 0.55]\nfields_at = [0.55]");
  ASSERT_EQ(command(std::vector<std::string>{file("case.toml", text), "--output-dir", out, "--quiet"}), 0);
  for (const char* name : {"results.h5", "spectrum_s.csv", "spectrum_p.csv", "spectrum_mean.csv", "depth.csv",
                           "currents.csv", "absorption.png", "fields-0.55um-s.png", "resolved.toml", "log"})
    EXPECT_TRUE(fs::exists(fs::path(out) / name)) << name;
}

TEST(HarmonicSunlight, Am15gHasItsIntegralAndItsPhotons) {
  const Sunlight sun = am15g();
  double power = 0;
  for (std::size_t i = 0; i + 1 < sun.wavelength.size(); ++i)
    power += (sun.irradiance[i] + sun.irradiance[i + 1]) / 2 * (sun.wavelength[i + 1] - sun.wavelength[i]);
  EXPECT_NEAR(power, 1000.37, 0.005);  // W/m^2, as ASTM G173-03 states it
  EXPECT_EQ(sun.wavelength.back(), 4.0);
  // a perfect absorber to 1.2 um: 46.46 mA/cm^2 (the same table by the trapezoidal rule, elsewhere)
  const auto w = photon_weights(sun, {0.28, 0.5, 0.9, 1.2});
  EXPECT_NEAR((w[0] + w[1] + w[2] + w[3]) * current_per_photon, 46.456, 0.01);
}

TEST(HarmonicSunlight, WeightsIntegrateALinearAbsorptionExactly) {
  const Sunlight flat{"flat", {0.4, 0.8}, {1, 1}};  // photon flux proportional to the wavelength
  const auto w = photon_weights(flat, {0.4, 0.55, 0.8});
  const double hc = 6.62607015e-34 * 299792458 * 1e6;
  EXPECT_NEAR((0.4 * w[0] + 0.55 * w[1] + 0.8 * w[2]) * hc, (0.512 - 0.064) / 3, 1e-12);
}

TEST(HarmonicTexture, GaussianHeightsHaveTheirStatisticsOnAnyGrid) {
  TextureSpec t;
  t.rms = 0.05;
  t.correlation_length = 0.1;
  t.seed = 7;
  const int n = 200;
  const auto fine = height_map(t, n, n, 4, 4), coarse = height_map(t, n / 2, n / 2, 4, 4);
  double sum = 0, square = 0, apart = 0, shifted = 0;
  const int shift = 10;  // half cells of 0.01: a correlation length
  for (int j = 0; j < 2 * n; ++j)
    for (int i = 0; i < 2 * n; ++i) {
      const double h = fine[std::size_t(j) * 2 * n + i];
      sum += h;
      square += h * h;
      shifted += h * fine[std::size_t(j) * 2 * n + (i + shift) % (2 * n)];
      if (i % 2 == 0 && j % 2 == 0)
        apart = std::max(apart, std::abs(h - coarse[std::size_t(j / 2) * n + i / 2]));
    }
  EXPECT_NEAR(sum / (4.0 * n * n), 0, 1e-12);
  EXPECT_NEAR(std::sqrt(square / (4.0 * n * n)), 0.05, 1e-12);
  EXPECT_LT(apart, 1e-12);
  // 1/e but for 1600 correlation areas of chance: 3 / sqrt(1600)
  EXPECT_NEAR(shifted / square, std::exp(-1), 0.075);
}

}  // namespace
}  // namespace umov::harmonic
