// What a case is told: units that are mistaken, textures that the grid or another interface does not let be.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "harmonic/command/command.hpp"
#include "harmonic/run/run.hpp"
#include "support/harmonic_runs.hpp"
#include "support/machines.hpp"

namespace umov::harmonic {
namespace {

namespace fs = std::filesystem;

class HarmonicTold : public testing::Test {
 protected:
  HarmonicTold() : folder_(fs::temp_directory_path() / ("umov_told_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~HarmonicTold() override { fs::remove_all(folder_); }

  std::string file(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  /// A film of two layers on glass, with more lines.
  Outcome run_film(const std::string& more, const std::string& index = "index = 2\n") const {
    const auto path =
        file("case.toml",
             "[harmonic]\nwavelengths = [0.5, 0.6]\nperiod = 0.4\ncell = 0.02\nsubstrate = "
             "\"glass\"\n"
             "polarization = \"s\"\n" +
                 more.substr(0, more.find("[[")) +
                 "[machine]\nbackend = \"serial\"\n[[material]]\nname = \"glass\"\nindex = 1.5\n"
                 "[[material]]\nname = \"film\"\n" +
                 index +
                 "[[layer]]\nname = \"upper\"\nmaterial = \"film\"\nthickness = 0.1\n"
                 "[[layer]]\nname = \"lower\"\nmaterial = \"glass\"\nthickness = 0.1\n" +
                 (more.find("[[") == std::string::npos ? "" : more.substr(more.find("[["))));
    return test::run_file(path);
  }

  std::string refusal(const std::string& more, const std::string& index = "index = 2\n") const {
    try {
      run_film(more, index);
    } catch (const BadInput& e) {
      return e.what();
    }
    return "";
  }

  static bool has(const std::vector<std::string>& said, const std::string& part) {
    for (const auto& s : said)
      if (s.find(part) != std::string::npos) return true;
    return false;
  }

  fs::path folder_;
};

TEST_F(HarmonicTold, ASpectrumInNanometresIsToldFromOneInMicrometres) {
  const auto lit = [&](const char* name, const std::string& text) {
    return "spectrum = \"" + file(name, text) + "\"\n";
  };
  EXPECT_NE(refusal(lit("bare.txt", "300 0.5\n900 1\n")).find("wavelength (nm), irradiance (W/m^2/nm)"),
            std::string::npos);
  EXPECT_NE(refusal(lit("far.txt", "3 0.5\n9 1\n")).find("another spectrum"), std::string::npos);
  const Outcome nm = run_film(lit("nm.txt", "wavelength (nm), irradiance (W/m^2/nm)\n300, 0.5\n900, 1\n")),
                um = run_film(lit("um.txt", "0.3 500\n0.9 1000\n"));
  EXPECT_GT(um.available_current, 1);
  EXPECT_NEAR(nm.available_current, um.available_current, 1e-12 * um.available_current);
}

TEST_F(HarmonicTold, ATableInNanometresIsToldFromOneInMicrometres) {
  const auto table = [&](const char* name, const std::string& text) {
    return "nk_file = \"" + file(name, text) + "\"\n";
  };
  EXPECT_NE(refusal("", table("bare.txt", "300 2 0\n900 2 0\n")).find("wavelength (nm), n, k"),
            std::string::npos);
  const Outcome nm = run_film("", table("nm.txt", "wavelength (nm), n, k\n300,2,0\n900,2,0\n")),
                plain = run_film("");
  EXPECT_NEAR(nm.spectra[0].points[0].budget.reflection, plain.spectra[0].points[0].budget.reflection, 1e-12);
}

TEST_F(HarmonicTold, HeightsOfNothingAreTheFlatCell) {
  const Outcome flat = run_film("");
  for (const char* kind :
       {"kind = \"lamellar\"\nheight = 0\n", "kind = \"lamellar\"\nheight = 0.1\nfill = 0\n",
        "kind = \"lamellar\"\nheight = 0.1\nfill = 1\n",
        "kind = \"gaussian\"\nrms = 0\ncorrelation_length = 0.2\n"}) {
    const Outcome o = run_film(std::string("[[texture]]\nabove = \"lower\"\n") + kind);
    EXPECT_TRUE(has(o.notes, "the texture above 'lower' is flat")) << kind;
    EXPECT_NEAR(o.spectra[0].points[0].budget.reflection, flat.spectra[0].points[0].budget.reflection, 2e-3)
        << kind;  // columns have the grid's own dispersion
  }
  EXPECT_FALSE(has(flat.notes, "is flat"));
}

TEST_F(HarmonicTold, AnInterfaceThatIsPushedDownIsWarnedOf) {
  const std::string ridges = "[[texture]]\nabove = \"upper\"\nkind = \"lamellar\"\nheight = ";
  // ridges 0.3 um high of a layer 0.1 um thick: grooves reach 0.05 um into the layer below; the substrate
  // stays
  const Outcome deep = run_film(ridges + "0.3\n");
  EXPECT_TRUE(
      has(deep.warnings, "the upper side of 'lower' is pushed down in 50 % of the period, by 0.05 um"));
  EXPECT_FALSE(has(deep.warnings, "'substrate' is pushed down"));
  // grooves that end where the layer does are a layer of ridges
  EXPECT_FALSE(has(run_film(ridges + "0.2\n").warnings, "pushed down"));
}

// R of lines of a metal on glass, 0.425 of the period wide, by rigorous coupled waves: 0.40521. Half a column
// more gave 0.4130 with 100 columns.
TEST_F(HarmonicTold, RidgesFillWholeColumns) {
  const auto lines = [&](const std::string& fill, const std::string& more) {
    const std::string text =
        "[harmonic]\nwavelengths = [0.7]\nangle = 20\npolarization = \"s\"\nsuperstrate = "
        "\"vacuum\"\nsubstrate = "
        "\"glass\"\nperiod = 0.5\ncell = 0.005\n" +
        more +
        "[machine]\nbackend = \"serial\"\n[[material]]\nname = \"glass\"\nindex = 1.5\n[[material]]\nname = "
        "\"line\"\nindex = 0.14\nextinction = 4.5\n[[layer]]\nname = \"grating\"\nmaterial = "
        "\"line\"\nthickness = "
        "0.034\n[[texture]]\nabove = \"grating\"\nkind = \"lamellar\"\nheight = 0.08\nfill = " +
        fill + "\n";
    return test::run_file(file("lines.toml", text));
  };
  const Outcome own = lines("0.425", "");
  EXPECT_NEAR(own.spectra[0].points[0].budget.reflection, 0.40521, 5e-4);
  EXPECT_FALSE(has(own.warnings, "between columns"));
  const Outcome given = lines("0.425", "cell_lateral = 0.005\n");
  EXPECT_TRUE(has(given.warnings, "cell_lateral = 0.00416667 gives 120 columns and fill 0.425"));
  EXPECT_TRUE(has(lines("0.3333", "").notes, "the ridges above 'grating' fill 0.333333 of the period"));
}

TEST_F(HarmonicTold, CornersOfMetalAreWarnedOfWherePolarizationPMeetsThem) {
  const auto lines = [](const std::string& polarization, const std::string& extinction) {
    Simulation sim;
    sim.wavelengths = {0.5};
    sim.period = {0.4, 0, 0};
    sim.cell = sim.cell_lateral = 0.02;
    sim.polarization = polarization == "s" ? Polarizations::s : Polarizations::p;
    MaterialSpec m;
    m.name = "line";
    m.index = 0.1;
    m.extinction = std::stod(extinction);
    sim.materials = {m};
    sim.layers = {{"lines", "line", 0.1}};
    sim.angle.values = sim.azimuth.values = {0};
    TextureSpec t;
    t.above = "lines";
    t.kind = TextureKind::lamellar;
    t.height = 0.04;
    t.fill = 0.5;
    sim.textures = {t};
    return plan(sim, umov::test::serial).warnings;
  };
  EXPECT_TRUE(has(lines("p", "3"), "corners of metal"));
  EXPECT_FALSE(has(lines("s", "3"), "corners of metal"));
  EXPECT_FALSE(has(lines("p", "0.05"), "corners of metal"));  // a dielectric
}

TEST_F(HarmonicTold, RandomHeightsFinerThanTheGridAreRefusedAndCoarseOnesWarnedOf) {
  const std::string rough = "[[texture]]\nabove = \"lower\"\nrms = 0.02\ncorrelation_length = ";
  EXPECT_NE(refusal(rough + "0.01\n").find("which is all that the grid can show"), std::string::npos);
  EXPECT_TRUE(has(run_film(rough + "0.05\n").warnings, "four of them show its slopes"));
  EXPECT_FALSE(has(run_film(rough + "0.1\n").warnings, "correlation"));
}

TEST_F(HarmonicTold, ARangeThatIsNoneSaysWhatItLacks) {
  const auto range = [&](const std::string& text) {
    const auto path = file("range.toml", "[harmonic]\nsubstrate = \"vacuum\"\n" + text);
    try {
      parse(std::vector<std::string>{path});
    } catch (const BadInput& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(range("wavelength_from = 0.4\nwavelength_count = 3\n").find("has no wavelength_to"),
            std::string::npos);
  EXPECT_NE(range("wavelength_from = 0.5\nwavelength_to = 0.4\nwavelength_count = 3\n").find("exchange them"),
            std::string::npos);
  EXPECT_NE(
      range("wavelength_from = 0.4\nwavelength_to = 0.5\nwavelength_count = 1\n").find("give 2 or more"),
      std::string::npos);
  EXPECT_NE(range("wavelengths = [0.5]\nmethod = \"pseudo_time\"\nends = \"open\"\n")
                .find("pseudo-time needs ends that absorb"),
            std::string::npos);
}

TEST_F(HarmonicTold, AnUnknownMaterialIsNamedWithItsPlaceAndTheNearestName) {
  const auto path =
      file("unknown.toml",
           "[harmonic]\nwavelengths = [0.5]\nsubstrate = \"vacuum\"\n[[material]]\nname = \"film\"\n"
           "index = 2\n[[layer]]\nmaterial = \"flim\"\nthickness = 0.1\n");
  try {
    parse(std::vector<std::string>{path});
    FAIL() << "it was taken";
  } catch (const BadInput& e) {
    const std::string said = e.what();
    EXPECT_NE(said.find("unknown.toml:7"), std::string::npos) << said;
    EXPECT_NE(said.find("unknown material 'flim'"), std::string::npos) << said;
    EXPECT_NE(said.find("did you mean 'film'"), std::string::npos) << said;
  }
}

TEST_F(HarmonicTold, WavelengthsOutsideAllLightAreWarnedOf) {
  const auto warnings = [&](const char* wavelengths) {
    const auto path =
        file("nm.toml", std::string("[harmonic]\nwavelengths = ") + wavelengths +
                            "\nsubstrate = \"glass\"\n[[material]]\nname = \"glass\"\nindex = 1.5\n"
                            "[[layer]]\nmaterial = \"glass\"\nthickness = 0.1\n");
    return plan(parse(std::vector<std::string>{path}).simulation).warnings;
  };
  EXPECT_TRUE(has(warnings("[500, 600]"), "outside the light of AM1.5G")) << "nm for um";
  EXPECT_TRUE(has(warnings("[500, 600]"), "in um 500 nm are 0.5"));
  EXPECT_FALSE(has(warnings("[0.5, 0.6]"), "outside the light"));
}

}  // namespace
}  // namespace umov::harmonic
