// Largest fields on round bodies: refinement brings them to the closed form, where facets never come.
#include <gtest/gtest.h>

#include "eqs/observables/peak_edges.hpp"
#include "eqs/outcome.hpp"
#include "eqs/run/run.hpp"
#include "mesh/round/round_skin.hpp"
#include "support/eqs_cases.hpp"
#include "support/geometries.hpp"

namespace umov::eqs::test {
namespace {

Outcome solved(Simulation s, int order, int refine) {
  s.mesh.order = order, s.mesh.refine = refine;
  s.analysis = Analysis::electrostatic;
  s.outputs.pictures = s.outputs.vtk = false;
  const Outcome o = run(s, serial);
  EXPECT_TRUE(o.converged) << o.why_not;
  return o;
}

/// Relative errors of the largest |E| of a material, refined 0, 1, 2 times.
std::vector<double> errors(const Simulation& s, int order, std::size_t material, double exact) {
  std::vector<double> out;
  for (int refine = 0; refine < 3; ++refine)
    out.push_back(extremes(solved(s, order, refine))[material].field / exact - 1);
  return out;
}

/// A sector of a cable: V / (r ln(R / r)) at the inner conductor.
Simulation cable() {
  return sector("coaxial", 10e-3, 90, {layer("a", 10e-3, 6)}, {material("a", constant(2.3), constant(0))},
                steady(1000), 5);
}

TEST(EqsRoundFields, OfACableComeToTheClosedFormByRefinement) {
  const double exact = 1000 / (10e-3 * std::log(2.0));
  for (const int order : {1, 2}) {
    const auto e = errors(cable(), order, 0, exact);
    // of first order in the angle between facets, which every refinement halves
    for (int k = 0; k < 2; ++k) EXPECT_LT(std::abs(e[k + 1]), std::max(0.7 * std::abs(e[k]), 5e-3)) << order;
    EXPECT_LT(std::abs(e[2]), 0.03) << order << ": " << e[0] << ", " << e[1] << ", " << e[2];
  }
}

/// An eighth of a ball of another permittivity (or a conductor) in a uniform field of 4 MV/m, which walls at
/// ten radii change by 1e-3.
Simulation ball(double outside, double inside, bool conductor) {
  mesh::Geometry g = umov::test::air(5e-3, 1e-3);
  g.domain_region = "outside";
  g.cut = {"x", "y"};
  g.curvature = 24;
  g.parts = {umov::test::ball("inside", 0.5e-3, 0.12e-3)};
  g.parts[0].conductor = conductor;
  Simulation s;
  s.mesh.geometry = g;
  s.symmetry = {"x", "y"};
  s.materials = {material("outside", constant(outside), constant(0))};
  if (!conductor) s.materials.push_back(material("inside", constant(inside), constant(0)));
  s.electrodes = {driven("z_min", steady(-20000)), driven("z_max", steady(20000))};
  if (conductor) s.electrodes.push_back(electrode("inside"));
  return s;
}

std::string said(const Outcome& o, const std::string& what) {
  for (const auto& w : o.warnings)
    if (w.find(what) != std::string::npos) return w;
  return "";
}

/// A facet that ends at a cutting plane and its mirror image make an edge that no mesh holds.
TEST(EqsRoundFields, ASectorIsWarnedOfByTheEdgesWithItsMirrorImage) {
  const auto cylinder = [](int across) {
    return sector("coaxial", 4e-3, 36, {layer("a", 8e-3, 8)}, {material("a", constant(2), constant(0))},
                  steady(900), across);
  };
  const auto sphere = [](int across) {
    return sector("spherical", 2e-3, 36, {layer("a", 2e-3, 6, 2)}, {material("a", constant(5), constant(0))},
                  steady(900), across);
  };
  for (const int order : {1, 2})
    for (const int across : {1, 3}) {
      SCOPED_TRACE(testing::Message() << "order " << order << ", elements " << across);
      const auto said_of = [&](const Simulation& s) {
        return said(solved(s, order, 0), "|E| of material 'a' lies on an edge between facets that turn by");
      };
      // a sector of n facets: each turns by 36 / n degrees to the next, and to its image
      const std::string turn = across == 1 ? "36.0 degrees" : "12.0 degrees";
      EXPECT_NE(said_of(cylinder(across)).find(turn), std::string::npos) << said_of(cylinder(across));
      EXPECT_NE(said_of(sphere(across)), "");
    }
  // the one facet has no neighbour in its mesh: without its image nothing tells
  EXPECT_NE(said(solved(cylinder(1), 2, 0), "one the other's mirror image at a wall"), "");
  // however wide, facets of a sector stand for a round surface
  Simulation wide = cylinder(1);
  wide.mesh.geometry->angle = 55;
  EXPECT_NE(said(solved(wide, 2, 0), "facets that turn by 55.0 degrees, one the other's"), "");
}

/// Errors of sectors stay within what the warning says; refined, one element across leaves nodes short of the
/// sphere, and the warning names no bound.
TEST(EqsRoundFields, OfASphericalSectorAreWithinWhatTheWarningSays) {
  for (const int refine : {0, 1}) {
    const Outcome o = solved(sector("spherical", 1e-3, 40, {layer("a", 1e-3, 8, 2)},
                                    {material("a", constant(5), constant(0))}, steady(1000), 1),
                             2, refine);
    const double error = extremes(o)[0].field / 2e6 - 1;  // V R / (r (R - r))
    const std::string w = said(o, "|E| of material 'a' lies on an edge between facets");
    const auto at = w.find("by up to ");
    EXPECT_GT(error, 0.1) << refine;  // silent, it was too large by this
    if (refine == 1) {
      EXPECT_EQ(at, std::string::npos) << w;
      EXPECT_NE(w.find("left nodes short"), std::string::npos) << w;
      continue;
    }
    ASSERT_NE(at, std::string::npos) << w;
    EXPECT_LT(100 * error, std::stod(w.substr(at + 9))) << w;
  }
}

TEST(EqsRoundFields, OfVoidsAndBallsFallToTheClosedFormByRefinement) {
  NEEDS_GMSH
  const double uniform = 20000 / 5e-3;
  struct Wanted {
    double outside, inside;
  };
  for (const auto& [outside, inside] : {Wanted{4, 1}, {1, 4}}) {
    const double exact = uniform * 3 * outside / (inside + 2 * outside);
    const auto e = errors(ball(outside, inside, false), 2, 1, exact);
    // measured 0.073, 0.037, 0.019 in the void and 0.093, 0.055, 0.031 in the ball (0.064, 0.039, 0.022 and
    // 0.081, 0.046, 0.025 on another mesh of as many facets); by facets that stay: rising
    for (int k = 0; k < 2; ++k) EXPECT_LT(e[k + 1], 0.7 * e[k]) << outside;
    EXPECT_LT(std::abs(e[2]), 0.035) << outside;
  }
}

TEST(EqsRoundFields, OnAConductingBallComeToThreeTimesTheUniformOne) {
  NEEDS_GMSH
  const double exact = 3 * 20000 / 5e-3;
  const auto first = errors(ball(1, 1, true), 1, 0, exact), second = errors(ball(1, 1, true), 2, 0, exact);
  // first order: in the middle of elements, off the surface; measured -0.17, -0.075, -0.037
  for (int k = 0; k < 2; ++k) EXPECT_LT(std::abs(first[k + 1]), 0.65 * std::abs(first[k]));
  for (const double e : second) EXPECT_LT(std::abs(e), 0.03);  // 0.016, 0.024, 0.016
  EXPECT_LT(second[2], second[1]);
}

TEST(EqsRoundFields, AWarningNamesMaterialsWhoseLargestOneSitsOnFacets) {
  NEEDS_GMSH
  const Outcome o = solved(ball(4, 1, false), 2, 0);
  EXPECT_NE(said(o, "|E| of material 'inside' lies on an edge between facets that turn by"), "");
  EXPECT_EQ(peak_remark(o.warnings, "inside"), ", on an edge between facets");
  EXPECT_EQ(peak_remark(o.warnings, "elsewhere"), "");
  // a field that is uniform but for rounding lies on nothing that makes it larger
  Simulation s = column(
      {layer("low", 1e-3, 2), layer("high", 1e-3, 2)},
      {material("low", constant(3), constant(0)), material("high", constant(1), constant(0))}, steady(1e3));
  EXPECT_EQ(said(solved(s, 2, 0), "lies on an edge"), "");
  // faces within a material whose curve depends on the field are none of its ends
  s.materials[0].permittivity = formula("3 + 2 / (1 + (E / 5e5)^2)");
  for (const int order : {1, 2}) EXPECT_EQ(said(solved(s, order, 0), "lies on an edge"), "") << order;
}

/// On a conducting ball elements of first order read too little, those of second order too much.
TEST(EqsRoundFields, WhichWayTheValueMayBeOffGoesWithTheOrder) {
  NEEDS_GMSH
  for (const int order : {1, 2}) {
    std::string said;
    for (const auto& w : solved(ball(4, 1, true), order, 0).warnings)
      if (w.find("|E| of material 'outside' lies on an edge between facets") != std::string::npos) said = w;
    EXPECT_EQ(said.find("too small or too large by up to") != std::string::npos, order == 1) << said;
    EXPECT_EQ(said.find("singular: the value may be too large by up to") != std::string::npos, order == 2)
        << said;
  }
}

/// A quarter of a square rod, cut along its diagonals or through the middle of its sides.
std::string of_a_rod(bool diagonals, int order) {
  Simulation s = ball(1, 1, true);
  mesh::Part& p = s.mesh.geometry->parts[0];
  p = umov::test::part("inside", "extrusion");
  const double a = 0.5e-3;
  if (diagonals)
    p.profile = {{a, 0}, {0, a}, {-a, 0}, {0, -a}};
  else
    p.profile = {{a, a}, {-a, a}, {-a, -a}, {a, -a}};
  p.height = 10e-3;  // from end to end
  p.conductor = true;
  p.mesh_size = 0.2e-3;
  s.electrodes = {driven("inside", steady(1000)), electrode("x_max")};
  return said(solved(s, order, 0), "lies on an edge");
}

TEST(EqsRoundFields, AnEdgeInAPlaneOfSymmetryIsNamedAndAFaceThatItCutsIsNone) {
  NEEDS_GMSH
  for (const int order : {1, 2}) {
    EXPECT_NE(of_a_rod(true, order).find("turns by 90 degrees with its mirror image"), std::string::npos)
        << of_a_rod(true, order);
    const std::string straight = of_a_rod(false, order);
    EXPECT_NE(straight.find("turns by 90 degrees (no"), std::string::npos) << straight;
  }
}

TEST(EqsRoundFields, AMeantEdgeIsNamedAsOne) {
  NEEDS_GMSH
  Simulation s = ball(1, 1, true);
  mesh::Part& p = s.mesh.geometry->parts[0];
  p = umov::test::part("inside", "box");
  p.size = {0.5e-3, 0.5e-3, 0.5e-3};
  p.conductor = true;
  p.mesh_size = 0.2e-3;
  const Outcome o = solved(s, 2, 0);
  ASSERT_FALSE(o.warnings.empty());
  EXPECT_NE(o.warnings.back().find("lies on an edge that turns by 90 degrees"), std::string::npos)
      << o.warnings.back();
  EXPECT_EQ(peak_remark(o.warnings, "outside"), ", on an edge");
}

/// A bound of facets holds for those whose nodes are on the surface: with others, 78 per cent were measured
/// where it says 29.
TEST(EqsRoundFields, HaveNoBoundWhereNodesWereLeftShortOfTheirSurface) {
  Problem p;
  p.materials.resize(1);
  p.materials[0].name = "gap";
  PeakEdge facets;
  facets.turn = 13.7 * pi / 180;
  for (const int order : {1, 2}) {
    p.order = order;
    p.warnings = {"another one"};
    EXPECT_NE(peak_warning(p, 0, facets).find("by up to 29 per cent"), std::string::npos);
    mesh::RoundReport report;
    report.moved = 1347, report.short_of = 5, report.gap = 7e-4;
    p.warnings.push_back(mesh::round_warning("ball", report));
    const std::string said = peak_warning(p, 0, facets);
    EXPECT_EQ(said.find("up to"), std::string::npos) << said;
    EXPECT_NE(said.find("left nodes short of their round surfaces"), std::string::npos) << said;
    EXPECT_NE(said.find("smaller before refinement (mesh_size of the part)"), std::string::npos) << said;
    EXPECT_EQ(peak_remark({said}, "gap"), ", on an edge between facets");
  }
}

}  // namespace
}  // namespace umov::eqs::test
