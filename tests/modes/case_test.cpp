// Cases of `umov modes`: planes of sources and monitors, domains without extent, what is refused, the manual.
#include "modes/case/case.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "core/error.hpp"
#include "modes/measure.hpp"
#include "support/places.hpp"
#include "support/temp_folder.hpp"

namespace umov::modes {
namespace {

class ModesCase : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_ / name; }
  Simulation parsed(const std::string& text, const std::string& name = "case.toml") {
    const std::string file = path(name);
    std::ofstream(file) << text;
    Case c;
    Origins origins;
    parameters().read_toml(file, c, origins);
    return finish_case(c, origins);
  }
  std::string refusal(const std::string& text) {
    try {
      parsed(text);
    } catch (const BadInput& e) {
      return e.what();
    }
    return "accepted";
  }

 private:
  umov::test::TempFolder folder_;
};

const std::string guide = R"(
[[material]]
name = "core"
index = 2
[[body]]
material = "core"
size = [inf, 0.5]
)";
const std::string march = R"(
[domain]
size = [4, 6]
resolution = 20
[[source]]
kind = "mode"
name = "in"
center = [-1, 0]
size = [0, 4]
frequency = 1
[[monitor]]
kind = "mode"
name = "out"
center = [1, 0]
size = [0, 4]
frequencies = [0.9, 1]
[stop]
time = 10
)";

TEST_F(ModesCase, ACaseOfTheTimeDomainHasThePlanesOfItsSourcesAndMonitors) {
  const Simulation s = parsed("[modes]\nat = \"in\"\n" + march + guide);
  EXPECT_EQ(s.normal, 0);
  EXPECT_EQ(s.wavelengths, std::vector<double>{1});
  const Simulation out = parsed("[modes]\nat = \"out\"\n" + march + guide);
  EXPECT_EQ(out.wavelengths, (std::vector<double>{1, 1 / 0.9}));
  // The very mode that the source launches.
  const Section section = make_section(s);
  const auto modes = solve(section, s, 1);
  const auto scene = fdtd::make_scene(s.model);
  fdtd::Problem whole;
  whole.grid = fdtd::make_grid(s.model, *scene);
  fdtd::set_walls(s.model, whole);
  fdtd::paint(s.model, *scene, whole);
  const auto launched =
      fdtd::solve_mode(whole, fdtd::mode_plane(whole.grid, {-1, 0, 0}, {0, 4, 0}, "in"), 1, 1, {}, "in");
  ASSERT_EQ(modes.size(), 1u);
  EXPECT_NEAR(modes[0].n_eff.real(), launched.n_eff, 1e-12);
}

TEST_F(ModesCase, ADomainWithoutExtentIsACrossSection) {
  const Simulation s =
      parsed("[modes]\nwavelengths = [1]\n[domain]\nsize = [0, 6]\nresolution = 20\n" + guide);
  EXPECT_EQ(s.normal, 0);
  EXPECT_EQ(make_section(s).cells(0), 100);  // 120 less ten absorbing layers at each end
  const Simulation across =
      parsed("[modes]\nwavelengths = [1]\n[domain]\nsize = [6, 0, 3]\nresolution = 10\n" + guide);
  EXPECT_EQ(across.normal, 1);
}

TEST_F(ModesCase, TheResolvedCaseIsReadBackAsItIs) {
  const std::string text = resolved_toml(parsed(
      "[modes]\nwavelengths = \"1:1.1:3\"\nbend_radius = 5\n[domain]\nsize = [0, 6]\nresolution = 20\n" +
      guide));
  EXPECT_EQ(resolved_toml(parsed(text)), text);
  EXPECT_NE(text.find("absorber = 12"), std::string::npos);
}

TEST_F(ModesCase, WhatIsNoCrossSectionIsRefused) {
  EXPECT_NE(refusal("[modes]\nat = \"there\"\n" + march + guide).find("no wavelength"), std::string::npos);
  EXPECT_NE(refusal("[modes]\nwavelengths = [1]\n[domain]\nsize = [6]\nresolution = 20\n" + guide)
                .find("needs a cross-section"),
            std::string::npos);
  EXPECT_NE(
      refusal("[modes]\nwavelengths = [1]\nat = \"in\"\nposition = 1\n" + march + guide).find("keep one"),
      std::string::npos);
  Simulation s = parsed("[modes]\nwavelengths = [1]\nat = \"in\"\n" + march + guide);
  s.at = "there";
  EXPECT_THROW(make_section(s), BadInput);
}

TEST_F(ModesCase, APlaneThatReachesTheCentreOfItsBendIsRefused) {
  const auto bent = [&](const std::string& radius) {
    return parsed("[modes]\nwavelengths = [1]\nbend_radius = " + radius +
                  "\n[domain]\nsize = [0, 6]\nresolution = 20\n" + guide);
  };
  EXPECT_NO_THROW(make_section(bent("3.5")));
  try {
    make_section(bent("2"));
    ADD_FAILURE() << "accepted";
  } catch (const BadInput& e) {
    EXPECT_NE(std::string(e.what()).find("give a larger radius"), std::string::npos) << e.what();
  }
}

TEST_F(ModesCase, WhatHasNoEffectOnThePlaneIsRefused) {
  const auto said = [&](const std::string& text) {
    try {
      make_section(parsed(text + guide));
    } catch (const BadInput& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  const std::string closed =
      "[modes]\nwavelengths = [1]\nindex_guess = 1.5\nabsorber = 8\n[domain]\nsize = [0, 6]\nresolution = "
      "20\n";
  EXPECT_EQ(said(closed), "accepted");
  EXPECT_NE(said(closed + "[boundary]\ny = \"pec\"\n").find("`modes.absorber` has no effect"),
            std::string::npos);
  const std::string bent = "[modes]\nwavelengths = [1]\nbend_radius = 9\nbend_axis = ";
  const std::string slab = "\n[domain]\nsize = [0, 6]\nresolution = 20\n";
  EXPECT_EQ(said(bent + "0" + slab), "accepted");
  EXPECT_NE(said(bent + "1" + slab).find("set `modes.bend_axis` to 0"), std::string::npos);
}

// A slab of 0.5 whose field outside falls as exp(-k sqrt(n^2 - 1) y), at 1/k = 0.16 and n = 1.8 within 0.11:
// half of it is left at the rim of a plane of width 0.6, and 1e-10 at that of one of width 5.
TEST_F(ModesCase, WarnsOfPlanesAndCellsThatSpoilTheModes) {
  const auto warnings = [&](const char* height, const char* cells, const char* count) {
    std::string all;
    for (const auto& text :
         run(parsed(fmt::format("[modes]\nwavelengths = [1]\nextrapolate = 1\ndispersion = "
                                "false\ncount = {}\n[domain]\nsize = [0, {}]\nresolution = "
                                "{}\n",
                                count, height, cells) +
                    guide),
             1, {})
             .warnings)
      all += text + "\n";
    return all;
  };
  EXPECT_EQ(warnings("6", "20", "1"), "");
  EXPECT_NE(warnings("1.6", "20", "1").find("wavelength 1, mode 1: the mode of index"), std::string::npos);
  EXPECT_NE(warnings("10", "8", "1").find("raise domain.resolution to 20 or more"), std::string::npos);
  EXPECT_NE(warnings("6", "20", "9").find("of the 9 modes that were asked for"), std::string::npos);
}

TEST_F(ModesCase, AnotherCrossSectionOfAnotherKindIsRefused) {
  const std::string own = "[modes]\nwavelengths = [1]\noverlap = \"" + path("other.toml") +
                          "\"\n[domain]\nsize = [0, 6]\nresolution = 20\n";
  const auto other = [&](const std::string& domain) {
    std::ofstream(path("other.toml"))
        << "[modes]\nwavelengths = [1]\n[domain]\nresolution = 20\n" + domain + guide;
    return refusal(own + guide);
  };
  EXPECT_NE(other("size = [0, 6]\nunit_um = 0.001\n").find("`domain.unit_um`"), std::string::npos);
  EXPECT_NE(other("size = [0, 6, 3]\n").find("names a case of 3 dimensions"), std::string::npos);
}

// Of two slabs, 0.5 and 0.7 wide, the overlap of even modes of E along the slab is known in closed form to a
// few per cent; here: a mode couples to itself as a whole, to a wider one less, and the same both ways.
TEST_F(ModesCase, OverlapsWithAnotherCrossSection) {
  const std::string wide = R"(
[modes]
wavelengths = [1]
[domain]
size = [0, 6]
resolution = 40
[[material]]
name = "core"
index = 2
[[body]]
material = "core"
size = [inf, 0.9]
)";
  std::string narrow = wide;
  narrow.replace(narrow.find("0.9"), 3, "0.5");
  std::ofstream(path("wide.toml")) << wide;
  std::ofstream(path("narrow.toml")) << narrow;
  const auto with = [&](std::string text, const std::string& other) {
    text.replace(text.find("wavelengths = [1]"), 17,
                 "wavelengths = [1]\nextrapolate = 1\ndispersion = false\noverlap = \"" + path(other) + "\"");
    return run(parsed(text), 1, {}).modes[0][0].coupled.at(0);
  };
  EXPECT_NEAR(with(narrow, "narrow.toml"), 1, 1e-6);
  const double there = with(narrow, "wide.toml");
  EXPECT_NEAR(there, with(wide, "narrow.toml"), 1e-6);
  EXPECT_LT(there, 0.99);
  EXPECT_GT(there, 0.9);
}

TEST_F(ModesCase, ABeamOfAsManyWidthsCouplesBest) {
  Simulation s = parsed("[modes]\nwavelengths = [1]\n[domain]\nsize = [0, 6]\nresolution = 40\n" + guide);
  const Section section = make_section(s);
  const Mode m = solve(section, s, 1).at(0);
  const double best = coupled_to_beam(section, m, 0.33);
  EXPECT_GT(best, 0.97);  // a Gaussian of the mode's width, in two dimensions
  EXPECT_LT(coupled_to_beam(section, m, 1), 0.7);
  EXPECT_LE(best, 1);
}

TEST_F(ModesCase, TheManualHasTheTablesOfTheProgram) {
  std::ifstream in(test::repository() / "docs/guide/modes.md");
  const std::string manual{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(manual.find(parameters().markdown()), std::string::npos)
      << "paste the output of `umov modes --help-markdown` into docs/guide/modes.md";
}

}  // namespace
}  // namespace umov::modes
