// Good conductors among insulators, of any contrast: potentials, electrodes' currents, losses.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>

#include "eqs/engine.hpp"
#include "mesh/geometry.hpp"
#include "mesh/gmsh_file.hpp"
#include "support/ball_in_cube.hpp"
#include "support/eqs_cases.hpp"
#include "support/temp_folder.hpp"

namespace umov::eqs::test {
namespace {

using Z = std::complex<double>;

/// An insulator, a conductor, an insulator between plates: every field is uniform, so elements are exact.
struct ConductorsStack {
  double thickness[3] = {1e-3, 2e-3, 3e-3}, eps[3] = {3, 1, 5}, kappa[3] = {2e-15, 0, 7e-15}, area = 1e-6;
  double u = 1e4;
  Simulation simulation(int order, Analysis analysis, const WaveformSpec& w) const {
    Simulation s = column(
        {layer("below", thickness[0], 3), layer("metal", thickness[1], 4), layer("above", thickness[2], 3)},
        {material("below", constant(eps[0]), constant(kappa[0])),
         material("metal", constant(eps[1]), constant(kappa[1])),
         material("above", constant(eps[2]), constant(kappa[2]))},
        w, 1e-3, 2);
    s.mesh.order = order;
    s.analysis = analysis;
    return s;
  }
  /// Impedance of a layer per area, ohm m^2; omega 0: of its conduction.
  Z of(int k, double omega) const { return thickness[k] / Z(kappa[k], omega * eps[k] * eps_vacuum); }
};

constexpr double contrasts[] = {1, 1e3, 1e5, 1e7, 1e9, 1e12, 1e15, 1e18, 1e21};

class EqsConductors : public testing::TestWithParam<int> {};

TEST_P(EqsConductors, ConductionInSeriesIsRightAtAnyContrast) {
  for (const double contrast : contrasts) {
    ConductorsStack stack;
    stack.kappa[1] = contrast * stack.kappa[0];
    const Problem p = make_problem(stack.simulation(GetParam(), Analysis::conduction, steady(stack.u)));
    const auto e = make_engine(p, on("serial"));
    const Effort effort = e->solve_static(0);
    ASSERT_TRUE(effort.converged) << contrast << ": " << effort.why_not;
    const double r[3] = {stack.of(0, 0).real(), stack.of(1, 0).real(), stack.of(2, 0).real()};
    const double j = stack.u / (r[0] + r[1] + r[2]);
    const auto v = e->potential();
    for (int n = 0; n < p.nodes; ++n) {
      const double z = node_place(p, n)[2];
      const double drop =
          j * (r[0] * std::min(1.0, z / 1e-3) + r[1] * std::clamp((z - 1e-3) / 2e-3, 0.0, 1.0) +
               r[2] * std::max(0.0, (z - 3e-3) / 3e-3));
      // the solver's residual of 1e-12, a condition number of 1e2
      EXPECT_NEAR(v[n], stack.u - drop, 1e-10 * stack.u) << contrast;
    }
    const Observation o = e->observe();
    EXPECT_NEAR(o.current[0] / (j * stack.area), 1, 1e-10) << contrast;
    EXPECT_NEAR(o.current[1] / (j * stack.area), -1, 1e-10) << contrast;
    const char* names[] = {"below", "metal", "above"};
    for (int k = 0; k < 3; ++k) {
      const auto m = index_of(p, names[k]);
      EXPECT_NEAR(o.material_power[m] / (j * j * r[k] * stack.area), 1, 1e-9) << names[k] << ' ' << contrast;
      EXPECT_NEAR(o.peaks[m].field / (j * r[k] / stack.thickness[k]), 1, 1e-9) << names[k] << ' ' << contrast;
    }
  }
}

TEST_P(EqsConductors, HarmonicImpedancesInSeriesAreRightAtAnyContrast) {
  for (const double contrast : contrasts) {
    ConductorsStack stack;
    stack.kappa[0] = 2e-12;
    stack.kappa[1] = contrast * stack.kappa[0];
    const double omega = 2 * pi * 50;
    const Problem p = make_problem(stack.simulation(GetParam(), Analysis::harmonic, sine(stack.u)));
    const auto e = make_engine(p, on("serial"));
    const Effort effort = e->solve_harmonic(omega);
    ASSERT_TRUE(effort.converged) << contrast << ": " << effort.why_not;
    const Z j = stack.u / (stack.of(0, omega) + stack.of(1, omega) + stack.of(2, omega));
    const Observation o = e->observe();
    for (const int k : {0, 1}) {
      const Z i(o.current[k], o.current_imaginary[k]), wanted = (k ? -1. : 1.) * j * stack.area;
      EXPECT_LT(std::abs(i - wanted), 1e-10 * std::abs(wanted)) << contrast;
    }
    const char* names[] = {"below", "metal", "above"};
    for (int k = 0; k < 3; ++k) {
      const auto m = index_of(p, names[k]);
      const double field = std::abs(j * stack.of(k, omega)) / stack.thickness[k];
      EXPECT_NEAR(o.peaks[m].field / field, 1, 1e-9) << names[k] << ' ' << contrast;
      EXPECT_NEAR(
          o.material_power[m] / (0.5 * stack.kappa[k] * field * field * stack.thickness[k] * stack.area), 1,
          1e-9)
          << names[k] << ' ' << contrast;
    }
  }
}

TEST_P(EqsConductors, ChargeOfAStepRelaxesAroundAConductorAtAnyContrast) {
  // the conductor's own relaxation is over within the first step: then it joins two leaky capacitors in
  // series
  for (const double kappa : {1e-3, 1.0, 90.0, 1e6, 6e7}) {
    ConductorsStack stack;
    stack.kappa[0] = 2e-12, stack.kappa[1] = kappa, stack.kappa[2] = 5e-12;
    Simulation s = stack.simulation(GetParam(), Analysis::transient, steady(stack.u));
    const double c1 = stack.eps[0] * eps_vacuum / 1e-3, c2 = stack.eps[2] * eps_vacuum / 3e-3,
                 g1 = stack.kappa[0] / 1e-3, g2 = stack.kappa[2] / 3e-3, tau = (c1 + c2) / (g1 + g2);
    s.time.end = tau;
    // The metal's field is a current over its conductivity, and has what a solve leaves over of the fluxes:
    // of 1e-11, 1e-12, 1e-13 and 1e-14 errors up to 8e-6, 1e-7, 8e-9 and 3e-10 were measured over these
    // steps.
    s.linear.tolerance = 1e-13;
    const Problem p = make_problem(s);
    const double first = c2 / (c1 + c2), last = g2 / (g1 + g2);
    double before = 0;
    for (const int steps : {20, 40}) {
      const auto e = make_engine(p, on("serial"));
      ASSERT_TRUE(e->start(0).converged);
      march(*e, tau, steps);
      const Observation o = e->observe();
      const double v1 = o.peaks[index_of(p, "below")].field * 1e-3, v2 = stack.u - v1;
      const double exact = stack.u * (last + (first - last) * std::exp(-1.0));
      const double error = std::abs(v1 - exact) / stack.u;
      // third order: 1e-6 with 20 steps
      EXPECT_LT(error, 2e-6) << kappa;
      if (before > 1e-11) {
        EXPECT_GT(before / error, 6) << kappa;
      }
      before = error;
      // of the discrete solution's own drop, so that no error in time enters
      const double rate = -(g1 * v1 - g2 * v2) / (c1 + c2), i = (g1 * v1 + c1 * rate) * stack.area;
      EXPECT_NEAR(o.current[0] / i, 1, 1e-8) << kappa;
      EXPECT_NEAR(o.current[1] / i, -1, 1e-8) << kappa;
      const double field = i / stack.area / kappa;
      EXPECT_NEAR(o.peaks[index_of(p, "metal")].field / field, 1, 1e-7) << kappa;
      EXPECT_NEAR(o.material_power[index_of(p, "metal")] / (kappa * field * field * 2e-3 * stack.area), 1,
                  1e-7)
          << kappa;
      EXPECT_NEAR(o.power / ((g1 * v1 * v1 + g2 * v2 * v2) * stack.area), 1, 1e-7) << kappa;
    }
  }
}

TEST_P(EqsConductors, AConductorOnAnElectrodeCarriesItsCurrentAndHasItsLoss) {
  for (const Analysis analysis : {Analysis::conduction, Analysis::harmonic})
    for (const double contrast : {1e3, 1e7, 1e12, 1e21}) {
      ConductorsStack stack;
      stack.kappa[0] = contrast * 1e-14, stack.kappa[1] = 1e-14, stack.kappa[2] = 2 * contrast * 1e-14;
      const double omega = analysis == Analysis::harmonic ? 2 * pi * 50 : 0;
      const Problem p =
          make_problem(stack.simulation(GetParam(), analysis, omega > 0 ? sine(stack.u) : steady(stack.u)));
      const auto e = make_engine(p, on("serial"));
      const Effort effort = omega > 0 ? e->solve_harmonic(omega) : e->solve_static(0);
      ASSERT_TRUE(effort.converged) << contrast << ": " << effort.why_not;
      const Z j = stack.u / (stack.of(0, omega) + stack.of(1, omega) + stack.of(2, omega));
      const Observation o = e->observe();
      for (const int k : {0, 1}) {
        const Z wanted = (k ? -1. : 1.) * j * stack.area,
                i(o.current[k], omega > 0 ? o.current_imaginary[k] : 0);
        EXPECT_LT(std::abs(i - wanted), 1e-10 * std::abs(wanted)) << contrast;
        // what leaves the electrode goes through the metal on it
        const int layer = 2 * k;
        const Z conducted = wanted * stack.kappa[layer] /
                            Z(stack.kappa[layer], omega * stack.eps[layer] * eps_vacuum),
                found(o.conduction[k], omega > 0 ? o.conduction_imaginary[k] : 0);
        EXPECT_LT(std::abs(found - conducted), 1e-9 * std::abs(wanted)) << contrast;
      }
      const char* names[] = {"below", "metal", "above"};
      for (int k = 0; k < 3; ++k) {
        const double field = std::abs(j * stack.of(k, omega)) / stack.thickness[k];
        EXPECT_NEAR(
            o.material_power[index_of(p, names[k])] /
                ((omega > 0 ? 0.5 : 1) * stack.kappa[k] * field * field * stack.thickness[k] * stack.area),
            1, 1e-9)
            << names[k] << ' ' << contrast;
      }
    }
}

TEST_P(EqsConductors, AMetalBallIsAFloatingElectrode) {
  // the same mesh, the ball as copper and as an electrode that floats
  umov::test::TempFolder folder;
  const auto file = folder / "ball.msh";
  mesh::TetMesh cell = ball_in_cube(0.4, 1, 8);
  // the ball leaves its plane of symmetry to an electrode around it
  for (std::size_t k = cell.triangles.size(); k-- > 0;)
    for (const int n : cell.triangles[k])
      if (cell.triangle_group[k] == 0 && norm(cell.nodes[n]) < 0.6) {
        cell.triangles.erase(cell.triangles.begin() + k);
        cell.triangle_group.erase(cell.triangle_group.begin() + k);
        break;
      }
  mesh::write_gmsh(cell, file);
  for (const Analysis analysis : {Analysis::conduction, Analysis::harmonic, Analysis::transient}) {
    Observation seen[2];
    for (const int k : {0, 1}) {
      Simulation s;
      s.mesh.file = file;
      s.mesh.order = GetParam();
      s.analysis = analysis;
      s.materials = {material("air", constant(2), constant(1e-12))};
      s.electrodes = {driven("bottom", analysis == Analysis::conduction ? steady(1000) : sine(1000)),
                      electrode("top")};
      if (k == 0)
        s.materials.push_back(material("ball", constant(1), constant(6e7)));
      else
        s.electrodes.push_back(electrode("ball", ElectrodeSpec::Kind::floating));
      s.time.end = 0.02;
      const Problem p = make_problem(s);
      const auto e = make_engine(p, on("serial"));
      seen[k] = observed_at_50_hz(*e, analysis);
    }
    // In time the ball's current is found from its charge, by differences of the stages' order: measured 5e-6
    // of the largest at 32 steps a period. The other analyses know none.
    const double most = analysis == Analysis::transient ? 1e-5 * 2 * pi * 50 * std::abs(seen[1].charge[0])
                                                        : 1e-9 * std::abs(seen[1].current[0]);
    EXPECT_NEAR(seen[0].current[0], seen[1].current[0], most) << int(analysis);
    EXPECT_NEAR(seen[0].charge[0] / seen[1].charge[0], 1, 1e-9) << int(analysis);
    EXPECT_NEAR(seen[0].conduction[1] / seen[1].conduction[1], 1, 1e-9) << int(analysis);
    EXPECT_NEAR(seen[0].material_power[0] / seen[1].material_power[0], 1, 1e-9) << int(analysis);
    EXPECT_NEAR(seen[0].peaks[0].field / seen[1].peaks[0].field, 1, 1e-9) << int(analysis);
    EXPECT_GT(seen[0].material_power[1], 0);
    EXPECT_LT(seen[0].material_power[1], 1e-12 * seen[0].material_power[0]);
  }
}

/// A cube of half metal, half insulation, both between the electrodes.
TEST_P(EqsConductors, AMetalBetweenElectrodesDoesNotSpoilTheInsulationBesideIt) {
  umov::test::TempFolder folder;
  const auto file = folder / "cube.msh";
  mesh::Geometry g;
  g.kind = "layers";
  g.width = 1e-3;
  g.elements_across = 4;
  g.layers = {layer("metal", 1e-3, 4)};
  mesh::TetMesh cube = mesh::build_mesh(g);
  cube.volumes.push_back({"air", 77});
  for (std::size_t t = 0; t < cube.tets.size(); ++t) {
    double x = 0;
    for (const int n : cube.tets[t]) x += cube.nodes[n][0] / 4;
    if (x > 0.5e-3) cube.tet_group[t] = int(cube.volumes.size()) - 1;
  }
  mesh::write_gmsh(cube, file);
  Simulation s;
  s.mesh.file = file;
  s.mesh.order = GetParam();
  s.analysis = Analysis::conduction;
  s.materials = {material("metal", constant(1), constant(6e7)),
                 material("air", constant(1), constant(1e-15))};
  s.electrodes = {driven("bottom", steady(1)), electrode("top")};
  const Problem p = make_problem(s);
  const auto e = make_engine(p, on("serial"));
  const Effort effort = e->solve_static(0);
  ASSERT_TRUE(effort.converged) << effort.why_not;
  const auto v = e->potential();
  // the solver's residual of 1e-12, a condition number of 1e2
  for (int n = 0; n < p.nodes; ++n) EXPECT_NEAR(v[n], 1 - 1e3 * node_place(p, n)[2], 1e-10);
  const Observation o = e->observe();
  EXPECT_NEAR(o.material_power[index_of(p, "air")] / (1e-15 * 1e6 * 0.5e-9), 1, 1e-9);
  EXPECT_NEAR(o.material_power[index_of(p, "metal")] / (6e7 * 1e6 * 0.5e-9), 1, 1e-9);
}

/// Five layers: insulation, metal and insulation between three electrodes of two phases, and one that floats.
TEST_P(EqsConductors, PowerOfSeveralElectrodesIsLostAndTheirCurrentsSumToZero) {
  Simulation s =
      column({layer("a", 1e-3, 2), layer("metal", 1e-3, 2), layer("b", 2e-3, 3), layer("plate", 1e-3, 1),
              layer("c", 1e-3, 2), layer("ring", 1e-3, 1), layer("d", 2e-3, 2)},
             {material("a", constant(3), constant(2e-9)), material("metal", constant(1), constant(6e7)),
              material("b", constant(5), constant(4e-10)), material("c", constant(2), constant(1e-9)),
              material("d", constant(2), constant(3e-9))},
             sine(1000), 1e-3, 2);
  s.electrodes.push_back(driven("plate", sine(700, 50, 120)));
  s.electrodes.push_back(electrode("ring", ElectrodeSpec::Kind::floating));
  s.mesh.order = GetParam();
  s.analysis = Analysis::harmonic;
  const Problem p = make_problem(s);
  const auto e = make_engine(p, on("serial"));
  const Effort effort = e->solve_harmonic(2 * pi * 50);
  ASSERT_TRUE(effort.converged) << effort.why_not;
  const Observation o = e->observe();
  Z sum = 0;
  double fed = 0, most = 0;
  for (int k = 0; k < 4; ++k) {
    const Z u(o.potential[k], o.potential_imaginary[k]), i(o.current[k], o.current_imaginary[k]);
    sum += i;
    fed += 0.5 * (u * std::conj(i)).real();
    most = std::max(most, std::abs(i));
  }
  EXPECT_LT(std::abs(sum), 1e-10 * most);
  EXPECT_NEAR(fed / o.power, 1, 1e-9);
  EXPECT_LT(std::hypot(o.current[3], o.current_imaginary[3]), 1e-10 * most) << "a floating one feeds nothing";
}

INSTANTIATE_TEST_SUITE_P(Orders, EqsConductors, testing::Values(1, 2));

}  // namespace
}  // namespace umov::eqs::test
