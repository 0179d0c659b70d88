// Bad geometries are named: the part, what is wrong, and what to do.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>

#include "core/error.hpp"
#include "support/geometries.hpp"

namespace {

using namespace umov;
using namespace umov::mesh;
using namespace umov::test;

Geometry good() {
  auto g = air(1, 0.5);
  g.parts = {rod("rod", 0.2, 0.6), ball("ball", 0.2)};
  g.parts[1].center = {0.6, 0, 0};
  return g;
}

Part sheds() {
  auto p = part("housing", "sheds");
  p.radius = 0.1;
  p.height = 0.6;
  p.shed_count = 3;
  p.shed_radius = 0.2;
  p.shed_thickness = 0.05;
  return p;
}

std::string refusal(const Geometry& g) {
  try {
    build_parts(g);
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}

struct Case {
  std::string name;
  std::function<void(Geometry&)> spoil;
  std::vector<std::string> words;  // that the message must have
};

class BadParts : public testing::TestWithParam<Case> {};

TEST_P(BadParts, AreNamedBeforeAnythingIsBuilt) {
  auto g = good();
  GetParam().spoil(g);
  const std::string said = refusal(g);
  for (const auto& word : GetParam().words)
    EXPECT_NE(said.find(word), std::string::npos) << word << " in: " << said;
}

const std::string rod_name = "part 1 ('rod', cylinder)";

INSTANTIATE_TEST_SUITE_P(
    All, BadParts,
    testing::Values(
        Case{"unknown_shape",
             [](Geometry& g) { g.parts[0].shape = "cylindre"; },
             {"part 1", "did you mean 'cylinder'"}},
        Case{"no_region", [](Geometry& g) { g.parts[1].region = ""; }, {"part 2", "no region"}},
        Case{"zero_height", [](Geometry& g) { g.parts[0].height = 0; }, {rod_name, "height is 0"}},
        Case{"negative_radius", [](Geometry& g) { g.parts[0].radius = -1; }, {rod_name, "radius is -1"}},
        Case{"not_a_number", [](Geometry& g) { g.parts[0].center[1] = NAN; }, {rod_name, "no number"}},
        Case{"zero_thickness",
             [](Geometry& g) { g.parts[0].inner_radius = 0.2; },
             {rod_name, "zero thickness"}},
        Case{"flat_box",
             [](Geometry& g) {
               g.parts[0] = part("plate", "box");
               g.parts[0].size = {1, 1, 0};
             },
             {"part 1 ('plate', box)", "size[2] is 0"}},
        Case{"thick_torus",
             [](Geometry& g) {
               g.parts[0] = part("ring", "torus");
               g.parts[0].radius = 0.1;
               g.parts[0].top_radius = 0.2;
             },
             {"('ring', torus)", "thicker than the ring"}},
        Case{"self_crossing",
             [](Geometry& g) {
               g.parts[0] = part("body", "revolution");
               g.parts[0].profile = {{0, 0}, {0.3, 0.3}, {0.3, 0}, {0, 0.3}};
             },
             {"('body', revolution)", "crosses itself", "edge 1"}},
        Case{"behind_the_axis",
             [](Geometry& g) {
               g.parts[0] = part("body", "revolution");
               g.parts[0].profile = {{-0.1, 0}, {0.3, 0}, {0.3, 0.3}};
             },
             {"('body', revolution)", "behind the axis"}},
        Case{"two_corners",
             [](Geometry& g) {
               g.parts[0] = part("body", "extrusion");
               g.parts[0].height = 1;
               g.parts[0].profile = {{0, 0}, {1, 0}};
             },
             {"('body', extrusion)", "2 corner(s)"}},
        Case{"corners_repeated_until_two_are_left",
             [](Geometry& g) {
               g.parts[0] = part("body", "extrusion");
               g.parts[0].height = 1;
               g.parts[0].profile = {{0, 0}, {0, 0}, {1, 0}, {1, 0}, {0, 0}};
             },
             {"('body', extrusion)", "2 corner(s)"}},
        Case{"keyhole",
             [](Geometry& g) {
               g.parts[0] = part("body", "extrusion");
               g.parts[0].height = 1;
               g.parts[0].profile = {{0, 0}, {3, 0}, {3, 3}, {0, 3}, {0, 0},
                                     {1, 1}, {1, 2}, {2, 2}, {2, 1}, {1, 1}};
             },
             {"('body', extrusion)", "a hole is a part of its own"}},
        Case{"folded_profile",
             [](Geometry& g) {
               g.parts[0] = part("body", "extrusion");
               g.parts[0].height = 1;
               g.parts[0].profile = {{0, 0}, {0.5, 0}, {0.25, 0}};
             },
             {"('body', extrusion)"}},
        Case{"sheds_do_not_fit",
             [](Geometry& g) {
               g.parts[0] = sheds();
               g.parts[0].shed_count = 20;
             },
             {"('housing', sheds)", "do not fit"}},
        Case{"sheds_cross",
             [](Geometry& g) {
               g.parts[0] = sheds();
               g.parts[0].shed_tip = 0.25;
             },
             {"('housing', sheds)", "crosses itself"}},
        Case{"small_shed",
             [](Geometry& g) {
               g.parts[0] = sheds();
               g.parts[0].shed_radius = 0.1;
             },
             {"('housing', sheds)", "not larger than the rod"}},
        Case{"large_fillet",
             [](Geometry& g) { g.parts[0].fillet = 0.25; },
             {rod_name, "fillet", "does not fit"}},
        Case{"mesh_size_larger_than_the_part",
             [](Geometry& g) { g.parts[0].mesh_size = 2; },
             {rod_name, "larger than the part"}},
        Case{"grid_in_a_solid", [](Geometry& g) { g.parts[0].across = 2; }, {rod_name, "across is for"}},
        Case{"copies_in_place",
             [](Geometry& g) { g.parts[0].copies = 3; },
             {rod_name, "all lie in one place"}},
        Case{"no_axis",
             [](Geometry& g) {
               g.parts[0].axis = {0, 0, 0};
             },
             {rod_name, "axis"}},
        Case{"wrong_angle", [](Geometry& g) { g.parts[0].angle = 400; }, {rod_name, "angle is 400"}},
        Case{"conductor_and_volume",
             [](Geometry& g) {
               g.parts[1].region = "rod";
               g.parts[1].conductor = true;
             },
             {"part 2", "conductor in one part and a volume in another"}},
        Case{"empty_domain", [](Geometry& g) { g.high[1] = -1; }, {"along y", "no volume"}},
        Case{"no_mesh_size", [](Geometry& g) { g.mesh_size = 0; }, {"mesh_size of the domain"}},
        Case{"unknown_plane", [](Geometry& g) { g.cut = {"w"}; }, {"unknown plane of symmetry 'w'"}},
        Case{"plane_twice",
             [](Geometry& g) {
               g.cut = {"x", "x"};
             },
             {"'x' is there twice"}},
        Case{"plane_outside",
             [](Geometry& g) {
               g.low[2] = 0.5;
               g.cut = {"z"};
             },
             {"plane of symmetry z = 0"}},
        Case{"domain_shape", [](Geometry& g) { g.domain_shape = "ball"; }, {"unknown domain shape 'ball'"}}),
    [](const auto& info) { return info.param.name; });

TEST(BadModels, PartOutsideTheDomain) {
  NEEDS_GMSH
  auto g = good();
  g.parts[1].center = {0.9, 0, 0};
  const auto said = refusal(g);
  EXPECT_NE(said.find("part 2 ('ball', sphere) reaches out of the domain"), std::string::npos) << said;
  g.parts[1].center = {5, 0, 0};
  EXPECT_NE(refusal(g).find("reaches out of the domain"), std::string::npos);
}

TEST(BadModels, APartBelowAPlaneThatMayBeOneOfSymmetryIsToldHow) {
  NEEDS_GMSH
  auto g = good();
  g.low[2] = 0;
  g.cut = {"x"};
  g.parts[1].center = {0.3, 0, 0};
  const auto said = refusal(g);
  EXPECT_NE(said.find("keep its half above z = 0: cut = [\"x\", \"z\"]"), std::string::npos) << said;
}

TEST(BadModels, PartsThatSwallowOneAnother) {
  NEEDS_GMSH
  auto g = good();
  g.parts = {ball("core", 0.1), ball("shell", 0.3)};
  const auto said = refusal(g);
  EXPECT_NE(said.find("part 1 ('core', sphere) is covered wholly by part 2 ('shell', sphere)"),
            std::string::npos)
      << said;
}

TEST(BadModels, PartBehindThePlaneOfSymmetry) {
  NEEDS_GMSH
  auto g = good();
  g.cut = {"x"};
  g.parts[1].center = {-0.6, 0, 0};
  EXPECT_NE(refusal(g).find("part 2 ('ball', sphere) lies wholly behind"), std::string::npos) << refusal(g);
}

TEST(BadModels, GridThatIsCut) {
  NEEDS_GMSH
  auto g = good();
  g.parts[0].inner_radius = 0.19;
  g.parts[0].across = 1;
  g.parts[0].mesh_size = 0.05;
  g.parts[1].center = {0.3, 0, 0};
  const auto said = refusal(g);
  EXPECT_NE(said.find("part 1 ('rod', cylinder)"), std::string::npos) << said;
  EXPECT_NE(said.find("leave `across` out"), std::string::npos) << said;
}

TEST(BadModels, ConductorThatFillsEverything) {
  NEEDS_GMSH
  auto g = air(1, 0.5);
  auto p = part("block", "box");
  p.size = {2, 2, 2};
  p.conductor = true;
  g.parts = {p};
  EXPECT_NE(refusal(g).find("fill the whole domain"), std::string::npos) << refusal(g);
}

/// Run by the test below, from a copy of this program that has no module beside it.
TEST(NoLibrary, DISABLED_InACopyOfThisProgram) {
  try {
    build_parts(good());
    FAIL() << "meshed without the module";
  } catch (const MachineFailure& e) {
    const std::string said = e.what();
    EXPECT_NE(said.find("libgmsh-dev"), std::string::npos) << said;
    EXPECT_NE(said.find(".msh"), std::string::npos) << said;
  }
  // Bad input is named all the same.
  auto g = good();
  g.parts[0].height = 0;
  EXPECT_THROW(build_parts(g), BadInput);
}

TEST(NoLibrary, IsSaidWithWhatToInstall) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / fmt::format("umov_no_gmsh_{}", getpid());
  fs::create_directories(folder);
  fs::copy_file(fs::read_symlink("/proc/self/exe"), folder / "program", fs::copy_options::overwrite_existing);
  const auto command =
      fmt::format("'{}' --gtest_also_run_disabled_tests --gtest_filter=NoLibrary.DISABLED_* >'{}' 2>&1",
                  (folder / "program").string(), (folder / "log").string());
  EXPECT_EQ(std::system(command.c_str()), 0);
  fs::remove_all(folder);
}

}  // namespace
