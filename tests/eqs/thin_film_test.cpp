// Conducting films around round bodies: a warning where straight facets are coarse beside their thickness.
#include <gtest/gtest.h>

#include <complex>

#include "eqs/run/run.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

/// A film of 0.1 mm at a radius of 20 mm between insulators, `around` elements in a quarter of a turn, of
/// which the model has `facets` (0: all); the walls of a sector are mirrors, and a few have the field of all.
Simulation film_around(int around, double thickness = 1e-4, double kappa = 1e-6, int facets = 0) {
  const double part = facets ? double(facets) / around : 1;
  Simulation s =
      sector("coaxial", 10e-3, 90 * part,
             {layer("a", 10e-3, 6), layer("f", thickness, 2), layer("b", 20e-3 - thickness, 6)},
             {material("a", constant(2.3), constant(1e-12)), material("f", constant(9), constant(kappa)),
              material("b", constant(2.3), constant(1e-12))},
             sine(1000), facets ? facets : around);
  s.mesh.geometry->width = 3e-3 * part;
  s.analysis = Analysis::harmonic;
  s.outputs.pictures = false;
  return s;
}

std::string warning(const Simulation& s) {
  for (const auto& w : make_problem(s).warnings)
    if (w.find("cut off") != std::string::npos) return w;
  return "";
}

TEST(EqsThinFilm, IsWarnedOfWhereFacetsCutOffMoreThanATenthOfIt) {
  // 11 facets in a quarter: 2.86 mm wide, 51 um cut off, half of the film
  const std::string said = warning(film_around(11));
  EXPECT_NE(said.find("material 'f' is 9.6e-05 m thick"), std::string::npos) << said;
  EXPECT_NE(said.find("0.0029 m wide, cut off 5.1e-05 m"), std::string::npos) << said;
  EXPECT_NE(said.find("by factors"), std::string::npos) << said;
  EXPECT_NE(said.find("with a larger geometry.elements_across"), std::string::npos) << said;
  // refinement halves facets, and quarters what they cut off
  Simulation refined = film_around(11);
  refined.mesh.refine = 1;
  EXPECT_NE(warning(refined).find("0.0014 m wide, cut off 1.3e-05 m"), std::string::npos) << warning(refined);
  refined.mesh.refine = 2;
  EXPECT_EQ(warning(refined), "");  // 3 um
  EXPECT_NE(warning(film_around(17)), "");
  EXPECT_EQ(warning(film_around(26)), "");        // 9 um
  EXPECT_EQ(warning(film_around(11, 2e-3)), "");  // a thick one
  // it carries no currents of its own, or none are asked for
  EXPECT_EQ(warning(film_around(11, 1e-4, 1e-10)), "");
  Simulation s = film_around(11);
  s.analysis = Analysis::electrostatic;
  EXPECT_EQ(warning(s), "");
  // flat ones have no facets
  s = column({layer("a", 1e-3, 2), layer("f", 1e-6, 1), layer("b", 1e-3, 2)},
             {material("a", constant(2), constant(0)), material("f", constant(9), constant(1e-3)),
              material("b", constant(2), constant(0))},
             sine(1));
  s.analysis = Analysis::harmonic;
  EXPECT_EQ(warning(s), "");
}

/// A tube of 0.2 mm around a rod as parts, in layers: its facets follow the part's mesh_size, not the
/// geometry's curvature.
Simulation tube() {
  mesh::Geometry g;
  g.low = {-0.05, -0.05, 0}, g.high = {0.05, 0.05, 0.04};
  g.mesh_size = 0.025;
  mesh::Part part;
  part.region = "f", part.shape = "cylinder", part.center = {0, 0, 0.02}, part.height = 0.04;
  part.radius = 10.2e-3, part.inner_radius = 10e-3, part.across = 1, part.mesh_size = 5e-3;
  g.parts.push_back(part);
  part.region = "rod", part.radius = 10e-3, part.inner_radius = part.mesh_size = 0, part.across = 0;
  g.parts.push_back(part);
  Simulation s;
  s.mesh.geometry = g;
  for (const auto& [name, kappa] : {std::pair{"air", 1e-14}, {"f", 1e-7}, {"rod", 1e-13}})
    s.materials.push_back(material(name, constant(2), constant(kappa)));
  s.electrodes = {driven("x_min", sine(1)), driven("x_max", sine(2))};
  s.analysis = Analysis::conduction;
  return s;
}

TEST(EqsThinFilm, TheWarningNamesWhatMakesFacetsOfThatBodySmaller) {
  const std::string structured = warning(tube());
  EXPECT_NE(structured.find("with a smaller mesh_size of part 'f'"), std::string::npos) << structured;
}

/// The claim behind the warning: the film's loss against that of round layers.
TEST(EqsThinFilm, LossIsWrongByFactorsWhereTheWarningSaysSo) {
  for (const auto& [around, refine] : {std::pair{11, 0}, {22, 0}, {11, 1}, {11, 2}}) {
    Simulation s = film_around(around, 1e-4, 1e-6, 2);
    s.mesh.refine = refine;
    s.mesh.order = 2;
    s.linear.max_iterations = 5000;  // films make them many
    const Outcome o = run(s, serial);
    ASSERT_TRUE(o.converged) << o.why_not;
    const auto admittance = [&](double kappa, double eps, double from, double to) {
      const double omega = 100 * pi, turn = s.mesh.geometry->width * s.mesh.geometry->angle * pi / 180;
      return turn * std::complex<double>(kappa, omega * eps * eps_vacuum) / std::log(to / from);
    };
    const auto a = admittance(1e-12, 2.3, 10e-3, 20e-3), f = admittance(1e-6, 9, 20e-3, 20.1e-3),
               b = admittance(1e-12, 2.3, 20.1e-3, 40e-3);
    const double current = std::abs(1000.0 / (1.0 / a + 1.0 / f + 1.0 / b));
    const double power = current * current / 2 * (1.0 / f).real();
    const double ratio = o.history[0].seen.material_power[1] / power;
    // sagitta 51 um, 13 um and 3.2 um beside 100 um: (2 s / t)^2 is 1, 0.07 and 0.004
    if (around == 11 && refine == 0) {
      EXPECT_GT(ratio, 1.3);
    } else {
      EXPECT_NEAR(ratio, 1, refine == 2 ? 0.02 : 0.15) << around << ", refined " << refine;
    }
  }
}

}  // namespace
}  // namespace umov::eqs::test
