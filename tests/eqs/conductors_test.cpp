// Good conductors among insulators, of any contrast: potentials, electrodes' currents, losses.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>

#include "eqs/balance.hpp"
#include "eqs/run/run.hpp"
#include "mesh/geometry.hpp"
#include "mesh/gmsh_file.hpp"
#include "support/ball_in_cube.hpp"
#include "support/eqs_cases.hpp"
#include "support/temp_folder.hpp"

namespace umov::eqs::test {
namespace {

using Z = std::complex<double>;

/// An insulator, a conductor, an insulator between plates: every field is uniform, so elements are exact.
struct Stack {
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
    Stack stack;
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
    Stack stack;
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
    Stack stack;
    stack.kappa[0] = 2e-12, stack.kappa[1] = kappa, stack.kappa[2] = 5e-12;
    Simulation s = stack.simulation(GetParam(), Analysis::transient, steady(stack.u));
    const double c1 = stack.eps[0] * eps_vacuum / 1e-3, c2 = stack.eps[2] * eps_vacuum / 3e-3,
                 g1 = stack.kappa[0] / 1e-3, g2 = stack.kappa[2] / 3e-3, tau = (c1 + c2) / (g1 + g2);
    s.time.end = tau;
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
      Stack stack;
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
      if (analysis == Analysis::transient) {
        ASSERT_TRUE(e->start(0).converged);
        march(*e, 5e-3, 8);
      } else {
        const Effort effort =
            analysis == Analysis::harmonic ? e->solve_harmonic(2 * pi * 50) : e->solve_static(0);
        ASSERT_TRUE(effort.converged) << effort.why_not;
      }
      seen[k] = e->observe();
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

/// A layer of a chain; conductors between "bottom" and "top", `floating` ones without a material.
struct Link {
  const char* name;
  double thickness, eps, kappa;
  bool floating = false;
};
constexpr Link metal{"metal", 1e-3, 1, 6e7}, semi{"semi", 0.5e-3, 3, 1}, poor{"poor", 0.5e-3, 3, 1e-6},
    insulator{"insulator", 2e-3, 5, 2e-14}, other_metal{"other", 1e-3, 1, 6e7},
    plate{"plate", 1e-3, 1, 0, true};
struct Chain {
  std::vector<Link> links;
  Simulation simulation(Analysis analysis) const {
    std::vector<mesh::Geometry::Layer> layers;
    std::vector<MaterialSpec> materials;
    for (const Link& l : links) {
      layers.push_back(layer(l.name, l.thickness, 3));
      if (!l.floating) materials.push_back(material(l.name, constant(l.eps), constant(l.kappa)));
    }
    Simulation s =
        column(layers, materials, analysis == Analysis::harmonic ? sine(1000) : steady(1000), 2e-3);
    for (const Link& l : links)
      if (l.floating) s.electrodes.push_back(electrode(l.name, ElectrodeSpec::Kind::floating));
    s.analysis = analysis;
    s.backend = "serial";
    s.outputs.pictures = false;
    return s;
  }
  static Z admittivity(const Link& l, Analysis analysis) {
    return {l.kappa, analysis == Analysis::harmonic ? 2 * pi * 50 * l.eps * eps_vacuum : 0};
  }
  Z current_density(Analysis analysis) const {
    Z r = 0;
    for (const Link& l : links)
      if (!l.floating) r += l.thickness / admittivity(l, analysis);
    return 1000. / r;
  }
};

/// A metal, a semiconductor, a poor one and an insulator, each 1e6 to 1e8 times the next, with the voltage at
/// either end, with floating electrodes between them, and with both ends of the chain in the insulator.
TEST(EqsConductorChain, OneOfFourMaterialsIsRightWithFloatingElectrodesInIt) {
  const std::vector<Chain> chains{
      {{metal, semi, poor, insulator}},        {{metal, semi, plate, poor, insulator}},
      {{metal, plate, semi, poor, insulator}}, {{metal, semi, poor, plate, insulator}},
      {{insulator, metal, semi, plate, poor}}, {{insulator, plate, metal, semi, poor}},
      {{insulator, semi, metal, poor}},        {{semi, plate, poor, insulator}}};
  for (const Analysis analysis : {Analysis::harmonic, Analysis::conduction})
    for (std::size_t c = 0; c < chains.size(); ++c)
      for (const bool turned : {false, true}) {
        Chain chain = chains[c];
        if (turned) std::reverse(chain.links.begin(), chain.links.end());
        // no base holds the poor one's potential at the far end of the insulator, and a direct current shows
        // it
        if (analysis == Analysis::conduction && chain.links[0].name == poor.name) continue;
        const Outcome o = eqs::run(chain.simulation(analysis));
        ASSERT_TRUE(o.converged) << c << turned << ": " << o.why_not;
        const Observation& seen = o.history.back().seen;
        const Z j = chain.current_density(analysis);
        for (const int k : {0, 1}) {
          const Z i(seen.current[k], analysis == Analysis::harmonic ? seen.current_imaginary[k] : 0);
          // the residual of 1e-12 is one of the fluxes at the chain's end in the poor one, 860 times those
          // that the insulator leaves; measured 3e-10
          EXPECT_LT(std::abs(i - (k ? -1. : 1.) * j * 4e-6), 1e-9 * std::abs(j * 4e-6)) << c << turned;
        }
        for (const Link& l : chain.links) {
          const auto at = std::find(o.material_names.begin(), o.material_names.end(), l.name);
          if (l.floating || at == o.material_names.end()) continue;
          const double field = std::abs(j / Chain::admittivity(l, analysis));
          // measured 2e-10
          EXPECT_NEAR(seen.peaks[at - o.material_names.begin()].field / field, 1, 2e-9)
              << l.name << c << turned;
        }
      }
}

TEST(EqsConductorChain, AFloatingElectrodeInABodyHasThePotentialOfItsPlace) {
  // the drop in the metal and the semiconductor is 1e-6 of the voltage and less
  for (const Analysis analysis : {Analysis::harmonic, Analysis::conduction}) {
    const Chain chain{{metal, semi, plate, poor, insulator}};
    const Outcome o = eqs::run(chain.simulation(analysis));
    ASSERT_TRUE(o.converged) << o.why_not;
    const Observation& seen = o.history.back().seen;
    EXPECT_NEAR(seen.potential[2], 1000, 1e-3);
    EXPECT_NEAR(seen.current[2], 0, 1e-10 * std::abs(chain.current_density(analysis)) * 4e-6);
  }
}

/// Two metals apart in a semiconductor: one base cannot hold both where neither is grounded. Whether the
/// preconditioner in double gets there hangs on the last bits; what is called converged must be right.
TEST(EqsConductorChain, WhatIsBeyondOneBaseIsRightOrMarkedAsNotConvergedWithTheContrastNamed) {
  const Chain chain{{insulator, metal, semi, other_metal, poor}};
  const Outcome bad = eqs::run(chain.simulation(Analysis::harmonic));
  const Observation& found = bad.history.back().seen;
  if (bad.converged) {
    const Z current = chain.current_density(Analysis::harmonic) * 4e-6;
    for (const int k : {0, 1})  // 1e-8 is what a balanced run may miss
      EXPECT_LT(std::abs(Z(found.current[k], found.current_imaginary[k]) - (k ? -1. : 1.) * current),
                1e-8 * std::abs(current));
  } else {
    EXPECT_NE(bad.why_not.find("conduct up to 1e+06 times differently"), std::string::npos) << bad.why_not;
    for (const double i : found.current) EXPECT_TRUE(std::isfinite(i));
  }
  // as advised
  Simulation s = chain.simulation(Analysis::harmonic);
  s.materials.erase(s.materials.begin() + 3);
  s.electrodes.push_back(electrode("other", ElectrodeSpec::Kind::floating));
  const Outcome good = eqs::run(s);
  EXPECT_TRUE(good.converged) << good.why_not;
}

TEST(EqsConductorChain, ADirectCurrentThatIsNotTheSameAtBothElectrodesIsMarked) {
  const Chain chain{{poor, other_metal, semi, metal, insulator}};
  const Outcome bad = eqs::run(chain.simulation(Analysis::conduction));
  EXPECT_FALSE(bad.converged);
  EXPECT_NE(bad.why_not.find("sum to zero"), std::string::npos) << bad.why_not;
}
TEST(EqsImbalance, CurrentsOfStepsAreHeldAgainstTheLargestOfTheRun) {
  std::vector<Record> history(2);
  history[0].seen.current = {3.0, -1.0, -2.0};
  history[1].seen.current = {1e-9, -1e-9 - 2e-8, 0};
  EXPECT_EQ(imbalance_of_currents(history, 1e-12), "");
  history[1].seen.current[1] -= 2e-8;
  EXPECT_NE(imbalance_of_currents(history, 1e-12).find("sum to zero"), std::string::npos);
  EXPECT_EQ(imbalance_of_currents(history, 1e-9), "") << "a solver that is asked for less";
  history[1].seen.current[1] = NAN;
  EXPECT_NE(imbalance_of_currents(history, 1e-12).find("no numbers"), std::string::npos);
  for (Record& r : history) r.seen.current = {0, 0};
  EXPECT_EQ(imbalance_of_currents(history, 1e-12), "") << "nothing flows";
}
TEST(EqsImbalance, CurrentsPowersAndNumbersThatAreNoneAreSeen) {
  Observation o;
  o.potential = {10, 0};
  o.potential_imaginary = {0, 0};
  o.current = {2e-3, -2e-3};
  o.current_imaginary = {5, -5};
  o.power = 1e-2;
  EXPECT_EQ(imbalance(o, 1e-12), "");
  o.power = 1e-2 + 2e-8;  // of an apparent power of 25 W
  EXPECT_EQ(imbalance(o, 1e-12), "");
  o.power = 1e-2 + 1e-6;
  EXPECT_NE(imbalance(o, 1e-12).find("power lost"), std::string::npos);
  o.power = NAN;
  EXPECT_NE(imbalance(o, 1e-12).find("power lost"), std::string::npos);
  o.power = 1e-2;
  o.current[1] += 1e-6;
  EXPECT_NE(imbalance(o, 1e-12).find("sum to zero"), std::string::npos);
  EXPECT_EQ(imbalance(o, 1e-9), "") << "a solver that is asked for less";
  o.current[0] = NAN;
  EXPECT_NE(imbalance(o, 1e-12).find("sum to zero"), std::string::npos);
}

/// A conductor between the driven electrode and a plate that floats, and insulation above: as without the
/// plate.
TEST(EqsConductorJoins, AFloatingElectrodeAndAnotherCarryTheCurrentBetweenThem) {
  for (const Analysis analysis : {Analysis::conduction, Analysis::harmonic, Analysis::transient}) {
    Simulation s =
        column({layer("m", 1e-3, 2), layer("f", 1e-3, 1), layer("a", 1e-3, 2)},
               {material("m", constant(1), constant(6e7)), material("a", constant(2), constant(1e-12))},
               analysis == Analysis::conduction ? steady(1000) : sine(1000));
    s.electrodes.push_back(electrode("f", ElectrodeSpec::Kind::floating));
    s.analysis = analysis;
    s.time.end = 0.02;
    for (const double kappa : {6e7, 100.0, 1.0}) {
      s.materials[0].conductivity = constant(kappa);
      const Problem p = make_problem(s);
      const auto e = make_engine(p, on("serial"));
      if (analysis == Analysis::transient) {
        ASSERT_TRUE(e->start(0).converged);
        march(*e, 5e-3, 8);
      } else {
        const Effort effort =
            analysis == Analysis::harmonic ? e->solve_harmonic(2 * pi * 50) : e->solve_static(0);
        ASSERT_TRUE(effort.converged) << effort.why_not;
      }
      const Observation o = e->observe();
      // the metal's share of the voltage: 1e-12 S/m, or omega 2 eps0 = 6e-9 S/m, over its conductivity
      const double share = (analysis == Analysis::conduction ? 1e-12 : 6e-9) / kappa;
      EXPECT_NEAR(o.potential[2], 1000, 1000 * (10 * share + 1e-12)) << kappa;
      EXPECT_NEAR(o.current[2], 0, 1e-9 * std::abs(o.current[0])) << kappa;
      EXPECT_NEAR(o.current[0] / o.current[1], -1, 1e-9) << int(analysis) << ' ' << kappa;
      const double area = 1e-6, u = 1000;
      if (analysis == Analysis::conduction)
        EXPECT_NEAR(o.current[0] / (1e-12 * u / 1e-3 * area), 1, 1e-6 + share);
      // the loss in the metal is that of the current: its field has all digits
      const double most =
          std::hypot(o.current[0], analysis == Analysis::harmonic ? o.current_imaginary[0] : 0);
      if (analysis != Analysis::transient)
        EXPECT_NEAR(o.peaks[index_of(p, "m")].field * kappa * area / most, 1, 1e-3)
            << int(analysis) << ' ' << kappa;
    }
  }
}
/// A conductor between the driven electrode and an insulator, and a layer whose conductivity depends on the
/// field on the ground.
TEST(EqsConductorsInTime, BesideACurveStepsAreAsLongAsTheirErrorAllows) {
  for (const double kappa : {100.0, 1e4})
    for (const char* curve : {"1e-4 * (1 + (E / 1e5)^2)", "1e-2 * (1 + (E / 1e5)^2)"}) {
      Simulation s =
          column({layer("m", 1e-3, 2), layer("a", 1e-3, 2), layer("v", 1e-3, 2)},
                 {material("m", constant(1), constant(kappa)), material("a", constant(2), constant(1e-12)),
                  material("v", constant(2), formula(curve))},
                 sine(1000));
      s.time.periods = 2;
      s.backend = "serial";
      s.outputs.pictures = false;
      const Outcome o = eqs::run(s);
      EXPECT_TRUE(o.converged) << o.why_not;
      // 40 steps by the waveform's limit; 687 to 65890 were repeated where rounding of the conductor's
      // potentials kept Newton's residual up
      EXPECT_LT(o.steps, 100) << kappa << curve;
      EXPECT_LT(o.rejected, 10) << kappa << curve;
    }
}
TEST(EqsConductorJoins, TwoFloatingElectrodesOfOneBodyKeepTheirChargesInTime) {
  // a plate with a charge on either side of a metal: the sum of both is on the three
  Simulation s = column({layer("a", 1e-3, 2), layer("f1", 1e-3, 1), layer("m", 1e-3, 2), layer("f2", 1e-3, 1),
                         layer("b", 1e-3, 2)},
                        {material("a", constant(2), constant(0)), material("m", constant(1), constant(6e7)),
                         material("b", constant(2), constant(0))},
                        sine(1000));
  s.electrodes.push_back(electrode("f1", ElectrodeSpec::Kind::floating));
  s.electrodes.push_back(electrode("f2", ElectrodeSpec::Kind::floating));
  s.electrodes[2].charge = 3e-12;
  s.electrodes[3].charge = -1e-12;
  s.time.end = 0.02;
  const Problem p = make_problem(s);
  const auto e = make_engine(p, on("serial"));
  ASSERT_TRUE(e->start(0).converged);
  march(*e, 5e-3, 8);
  const Observation o = e->observe();
  const double c = eps_vacuum * 2 / 1e-3 * 1e-6, v = (c * 1000 + 2e-12) / (2 * c);
  // C1 (V - U) + C2 V = Q for the whole; the metal passes what the plates exchange
  EXPECT_NEAR(o.potential[2] / v, 1, 1e-9);
  EXPECT_NEAR(o.potential[3] / v, 1, 1e-9);
}
INSTANTIATE_TEST_SUITE_P(Orders, EqsConductors, testing::Values(1, 2));

}  // namespace
}  // namespace umov::eqs::test
