// `umov fdtd` with layouts: what a case may say of one, and that the resolved case repeats it.
#include <cmath>
#include <filesystem>

#include "cli/fdtd_front.hpp"
#include "fdtd/run/run.hpp"
#include "support/gds_writer.hpp"
#include "support/program.hpp"

namespace {

using namespace umov;
using namespace umov::fdtd;

class FdtdLayoutCase : public test::FdtdFrontFolder {
 protected:
  FdtdLayoutCase() {
    test::GdsWriter w;
    w.begin("A"), w.rectangle(1, 0, -1000, -250, 1000, 250), w.label(10, 0, 1000, 0, "east"), w.end(),
        w.finish();
    w.save("a.gds");
  }
  static std::string with(const std::string& more, const std::string& layout = "",
                          const std::string& size = "[inf, inf, 2]") {
    return "[domain]\nsize = " + size + "\n[layout]\nfile = \"a.gds\"\nport_layer = [10, 0]\n" + layout +
           "[[layer]]\nlayer = 1\nmaterial = \"silica\"\n" + more;
  }
};

TEST_F(FdtdLayoutCase, IsReadAndRepeatedByTheResolvedCase) {
  const std::string full = with(
      "name = \"core\"\nfrom = -0.1\nto = 0.2\nside_angle = 80\ndrawn_at = 0.25\nbias = -0.01\n"
      "[[port]]\nname = \"west\"\nat = [-1, 0]\ndirection = \"-x\"\nwidth = 0.5\nlayer = \"core\"\n"
      "[[source]]\nkind = \"mode\"\nport = \"west\"\nport_offset = 0.3\nwavelength = 1.5\n"
      "[[monitor]]\nkind = \"flux\"\nport = \"east\"\nfrequencies = 0.6\n",
      "cell = \"A\"\nwindow = [[-1, -1], [1, 1]]\nmargin = 2\nextend = false\nport_margin = 0.7\n");
  const Simulation s = parse_file(full);
  ASSERT_TRUE(s.layout);
  EXPECT_EQ(s.layout->window.size(), 2u);
  EXPECT_EQ(s.layout->port_layer, (std::vector<int>{10, 0}));
  EXPECT_EQ(s.layers.at(0).side_angle, 80);
  EXPECT_EQ(s.layers.at(0).to, 0.2);
  EXPECT_EQ(s.ports.at(0).direction, "-x");
  EXPECT_EQ(s.sources.at(0).port, "west");
  EXPECT_TRUE(std::isinf(s.size[0]));
  const std::string once = resolved({"case.toml"});
  folder_.write("again.toml", once);
  EXPECT_EQ(resolved({"again.toml"}), once);
}

TEST_F(FdtdLayoutCase, FlagsNameAnotherLayoutAndItsStructure) {
  parse_file(with(""));
  std::filesystem::copy(folder_ / "a.gds", folder_ / "b.gds");
  const std::string text = resolved({"case.toml", "--layout", "b.gds", "--cell", "A"});
  expect_contains(text, "b.gds\"\n");
  expect_contains(text, "cell = \"A\"");
}

TEST_F(FdtdLayoutCase, WhatHasNoSenseIsRefusedWithItsPlace) {
  const char* source = "[[source]]\nkind = \"point\"\nwavelength = 1\n";
  expect_contains(refused_file("[domain]\nsize = [inf, 3]\n"), "is infinite along x (there is no layout");
  expect_contains(refused_file(with(source, "", "[inf, inf, inf]")),
                  "is infinite along z (a layout has no height)");
  expect_contains(refused_file("[domain]\nsize = [4, 4]\n[[layer]]\nlayer = 1\nmaterial = \"silica\"\n"),
                  "is a part of a layout (and there is none)");
  expect_contains(refused_file(with("side_angle = 80\n")), "give from and to");
  expect_contains(refused_file(with("from = 1\nto = 0\n")), "exchange them");
  expect_contains(refused_file(with("from = 0\n", "", "[inf, inf]")), "no extent along z");
  expect_contains(
      refused_file(with("[[source]]\nkind = \"mode\"\nport = \"east\"\ncenter = [1, 0]\nwavelength = 1\n")),
      "its port says where the plane is");
  expect_contains(refused_file(with("[[source]]\nkind = \"point\"\nport = \"east\"\nwavelength = 1\n")),
                  "mode");
  expect_contains(refused_file(with("[[port]]\nname = \"p\"\ndirection = \"+x\"\n")), "no width");
  expect_contains(refused_file(with("", "window = [[0, 0]]\n")), "two corners");
}

// The margin of a port is twice its guide's width, 1 unit on either side; 0.5 are there before the layers.
TEST_F(FdtdLayoutCase, AFluxMonitorInAPortEndsBeforeTheLayers) {
  const std::string source =
      "[[source]]\nkind = \"point\"\nwavelength = 1.5\n[run]\nforce = true\n[pml]\nlayers = 5\n";
  const std::string monitor =
      "[[monitor]]\nkind = \"flux\"\nname = \"out\"\nport = \"east\"\nfrequencies = 0.6\n";
  const Simulation s = parse_file(with("from = -0.1\nto = 0.1\n" + source + monitor, "margin = 1\n") +
                                  "[machine]\nbackend = \"cpu\"\n");
  const auto planned = plan(s).outcome;
  const MonitorSpec& m = planned.simulation.monitors.at(0);
  const double layer = 5 * planned.grid.dx;
  EXPECT_NEAR(m.size[1], planned.grid.cells[1] * planned.grid.dx - 2 * layer, 1e-9);
  EXPECT_NEAR(m.size[2], planned.grid.cells[2] * planned.grid.dx - 2 * layer, 1e-9);
  EXPECT_EQ(m.size[0], 0);
}

TEST_F(FdtdLayoutCase, ADryRunThatRefusesTheCaseTellsOfItsLayout) {
  folder_.write(
      "case.toml",
      "[domain]\nsize = [inf, inf]\nresolution = 3\n[layout]\nfile = \"a.gds\"\n[[layer]]\nlayer = 1\n"
      "material = \"silica\"\n[[source]]\nkind = \"point\"\nwavelength = 0.5\n");
  const auto planned = test::run(folder_, "fdtd case.toml --dry-run");
  EXPECT_EQ(planned.code, 2) << planned.err;
  expect_contains(planned.out, "# layout: a.gds: structure 'A', database unit 1 nm");
}

}  // namespace
