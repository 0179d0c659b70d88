// Charges on conductors: capacitance matrices, floating conductors, spheres in a uniform field.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "mesh/gmsh_file.hpp"
#include "support/ball_in_cube.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

TEST(EqsElectrodes, CapacitanceOfAPlateCapacitorAndACoaxialSector) {
  Simulation s = column({layer("a", 1e-3, 2), layer("b", 3e-3, 2)},
                        {material("a", formula("2 + 1 / (1 + (E / 1e5)^2)"), constant(0)),
                         material("b", constant(6), microvaristor())},
                        steady(1), 2e-3, 2);
  s.symmetry = {"x", "y"};
  for (const int order : {1, 2}) {
    s.mesh.order = order;
    const auto c = capacitance(make_problem(s), on("serial"));
    // series of two, nonlinear permittivity at rest, four mirror images
    const double expected = 4 * 4e-6 * eps_vacuum / (1e-3 / 3 + 3e-3 / 6);
    EXPECT_NEAR(c[0][0], expected, 1e-10 * expected);
    EXPECT_NEAR(c[0][1], -expected, 1e-10 * expected);
    EXPECT_NEAR(c[1][1], expected, 1e-10 * expected);
  }
  // a sector of 6 degrees: 2 pi eps l / ln(b / a) / 60; elements and chords of second order
  double before = 0;
  for (const int n : {1, 2}) {
    Simulation q = sector("coaxial", 10e-3, 6, {layer("a", 10e-3, 20 * n)},
                          {material("a", constant(3), constant(0))}, steady(1), 2 * n);
    q.mesh.geometry->width = 1e-3;
    const auto c = capacitance(make_problem(q), on("serial"));
    const double exact = 2 * pi * 3 * eps_vacuum * 1e-3 / std::log(2.0) / 60,
                 error = std::abs(c[0][0] / exact - 1);
    if (n == 2) {
      EXPECT_NEAR(std::log2(before / error), 2, 0.1);
      EXPECT_LT(error, 3e-4);
    }
    before = error;
  }
}

TEST(EqsElectrodes, ACapacitanceThatIsNotSolvedForIsNotConverged) {
  Simulation s = sector("coaxial", 10e-3, 6, {layer("a", 10e-3, 20)},
                        {material("a", constant(3), constant(0))}, steady(1), 2);
  s.linear.preconditioner = "jacobi";
  s.linear.max_iterations = 1;
  try {
    capacitance(make_problem(s), on("serial"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Exit::not_converged) << error.what();
  }
}

TEST(EqsElectrodes, CapacitanceMatrixIsSymmetricWithRowsThatSumToZero) {
  Simulation s = column({layer("a", 1e-3, 3), layer("p", 0.5e-3, 1), layer("b", 1e-3, 2),
                         layer("q", 0.5e-3, 1), layer("c", 2e-3, 3)},
                        {material("a", constant(1), constant(0)), material("b", constant(4), constant(1e-9)),
                         material("c", constant(2), constant(0))},
                        sine(1), 4e-3, 3);
  s.electrodes.push_back(electrode("p", ElectrodeSpec::Kind::floating));
  s.electrodes.push_back(driven("q", sine(3, 50, 120)));
  for (const int order : {1, 2}) {
    s.mesh.order = order;
    const auto c = capacitance(make_problem(s), on("cpu"));
    ASSERT_EQ(c.size(), 4u);
    for (int e = 0; e < 4; ++e) {
      double row = 0;
      for (int f = 0; f < 4; ++f) {
        row += c[e][f];
        EXPECT_NEAR(c[e][f], c[f][e], 1e-11 * c[e][e]);
        if (e != f) {
          EXPECT_LE(c[e][f], 1e-12 * c[e][e]);
        }
      }
      EXPECT_NEAR(row, 0, 1e-11 * c[e][e]);
    }
    // neighbours in a stack see plates: eps A / d
    EXPECT_NEAR(c[0][2], -eps_vacuum * 16e-6 / 1e-3, 1e-10 * c[0][0]);
    EXPECT_NEAR(c[2][3], -4 * eps_vacuum * 16e-6 / 1e-3, 1e-10 * c[2][2]);
    EXPECT_NEAR(c[0][1], 0, 1e-11 * c[0][0]);
  }
}

TEST(EqsElectrodes, FloatingConductorDividesTheVoltageAndCarriesItsCharge) {
  // electrostatics with the sum of a given charge, per volt and per coulomb
  const double area = 4e-6, c1 = eps_vacuum * 2 / 1e-3 * area, c2 = eps_vacuum * 5 / 2e-3 * area;
  for (const int order : {1, 2})
    for (const double charge : {0.0, 7e-12}) {
      Simulation s =
          column({layer("a", 1e-3, 2), layer("plate", 1e-3, 1), layer("b", 2e-3, 2)},
                 {material("a", constant(2), constant(0)), material("b", constant(5), constant(0))},
                 steady(100), 1e-3, 2);
      s.mesh.order = order;
      s.analysis = Analysis::electrostatic;
      s.symmetry = {"x", "y"};  // the charge is the whole conductor's
      ElectrodeSpec plate = electrode("plate", ElectrodeSpec::Kind::floating);
      plate.charge = charge;
      s.electrodes.push_back(plate);
      const auto e = make_engine(make_problem(s), on("serial"));
      ASSERT_TRUE(e->solve_static(0).converged);
      const Observation o = e->observe();
      EXPECT_NEAR(o.potential[2], (c1 * 100 + charge) / (c1 + c2), 1e-9 * 100);
      EXPECT_NEAR(o.charge[2], charge, 1e-10 * c1 * 100);
      EXPECT_NEAR(o.charge[0] + o.charge[1] + o.charge[2], 0, 1e-10 * c1 * 100);
      EXPECT_NEAR(o.charge[0], c1 * (100 - o.potential[2]), 1e-9 * c1 * 100);
    }
}

/// The charge on the upper plate over that of the empty cell: the effective permittivity of a cubic lattice
/// of balls in a uniform field. eps or kappa of the ball over that of air; infinite: a conductor.
double effective(int n, int order, double ratio, Analysis analysis, double* inner_field = nullptr) {
  const std::string file = testing::TempDir() + "ball_" + std::to_string(n) + ".msh";
  mesh::write_gmsh(ball_in_cube(0.4, 1, n, 1), file);
  Simulation s;
  s.mesh.file = file;
  s.mesh.order = order;
  s.analysis = analysis;
  const bool conductor = std::isinf(ratio);
  const bool conduction = analysis == Analysis::conduction;
  s.materials = {material("air", constant(1), constant(1))};
  if (!conductor)
    s.materials.push_back(
        material("ball", constant(conduction ? 1 : ratio), constant(conduction ? ratio : 1)));
  s.electrodes = {driven("top", steady(1)), electrode("bottom")};
  // the plane of odd symmetry holds the ball at its potential
  if (conductor) s.electrodes[1].groups = {"bottom", "ball"};
  const Problem p = make_problem(s);
  const auto e = make_engine(p, on("cpu"));
  const Effort effort = e->solve_static(0);
  EXPECT_TRUE(effort.converged) << effort.why_not;
  const Observation o = e->observe();
  if (inner_field) {
    const auto f = e->field();
    *inner_field = 0;
    double volume = 0;
    for (std::size_t t = 0; t < p.material.size(); ++t) {
      if (p.material[t] != 1) continue;
      const auto& q = p.mesh.tets[t];
      const Vec3 x = p.mesh.nodes[q[0]];
      const double v = dot(p.mesh.nodes[q[1]] - x, cross(p.mesh.nodes[q[2]] - x, p.mesh.nodes[q[3]] - x));
      for (int k = 0; k < 4; ++k) *inner_field -= v / 4 * f[12 * t + 3 * k + 2];
      volume += v;
    }
    *inner_field /= volume;
  }
  std::filesystem::remove(file);
  return conduction ? o.conduction[0] : o.charge[0] / eps_vacuum;
}

TEST(EqsElectrodes, BallsInAUniformFieldPolariseAsRayleighSays) {
  // Lord Rayleigh 1892 (Phil. Mag. 34, 481): 1 + 3 f / (1 / b - f - 1.305 c f^(10/3)), f the filled fraction,
  // b = (e - 1) / (e + 2), c = (e - 1) / (e + 4/3); the field in a ball is 3 / (e + 2) / (1 - f b) to that
  // order
  const double f = 4 * pi / 3 * 0.064 / 8;
  for (const auto& [ratio, analysis] : {std::pair{8.0, Analysis::electrostatic},
                                        {INFINITY, Analysis::electrostatic},
                                        {1e3, Analysis::conduction}}) {
    const double b = std::isinf(ratio) ? 1 : (ratio - 1) / (ratio + 2),
                 c = std::isinf(ratio) ? 1 : (ratio - 1) / (ratio + 4.0 / 3);
    const double exact = 1 + 3 * f / (1 / b - f - 1.305 * c * std::pow(f, 10.0 / 3));
    double inner[2] = {0, 0};
    const bool dielectric = ratio == 8.0;
    const double coarse = effective(8, 1, ratio, analysis, dielectric ? &inner[0] : nullptr);
    const double fine = effective(16, 1, ratio, analysis, dielectric ? &inner[1] : nullptr);
    // chords and elements err as h^2: a quarter, and the limit of both
    EXPECT_NEAR((coarse - exact) / (fine - exact), 4, 0.8) << ratio;
    EXPECT_NEAR(fine + (fine - coarse) / 3, exact, 0.005 * (exact - 1)) << ratio;
    if (dielectric) {
      const double field = 3 / (ratio + 2) / (1 - f * b);
      EXPECT_NEAR(inner[1] + (inner[1] - inner[0]) / 3, field, 0.01 * field);
    }
  }
}

TEST(EqsElectrodes, AStartWithoutTheFieldsOfElectrodesTellsWhy) {
  Simulation s = column({layer("air", 1e-3, 4)}, {material("air", constant(1), constant(1e-13))},
                        sine(1e3, 50, 90), 1e-3, 4);
  s.time.end = 2e-3;
  s.linear.preconditioner = "jacobi";
  s.linear.max_iterations = 1;  // of the dozen or so that it takes
  const auto e = make_engine(make_problem(s), on("cpu"));
  const Effort effort = e->start(0);
  EXPECT_FALSE(effort.converged);
  EXPECT_NE(effort.why_not.find("iteration limit"), std::string::npos) << effort.why_not;
  // the state has begun all the same: the electrode is at its potential, which is what a record has to read
  const auto u = e->potential();
  ASSERT_EQ(*std::max_element(u.begin(), u.end()), 1e3);
  const Observation o = e->observe();  // what is recorded of a start that failed
  EXPECT_EQ(o.current.size(), 2u);
  for (const double v : e->potential()) EXPECT_TRUE(std::isfinite(v));
}

}  // namespace
}  // namespace umov::eqs::test
