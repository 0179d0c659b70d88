// Chains of conductors, what joins them to floating electrodes, and what tells that currents do not balance.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <tuple>

#include "eqs/observables/balance.hpp"
#include "eqs/run/run.hpp"
#include "mesh/geometry.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

using Z = std::complex<double>;

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
        const Outcome o = eqs::run(chain.simulation(analysis), serial);
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
    const Outcome o = eqs::run(chain.simulation(analysis), serial);
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
  const Outcome bad = eqs::run(chain.simulation(Analysis::harmonic), serial);
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
  const Outcome good = eqs::run(s, serial);
  EXPECT_TRUE(good.converged) << good.why_not;
}

TEST(EqsConductorChain, ADirectCurrentThatIsNotTheSameAtBothElectrodesIsMarked) {
  const Chain chain{{poor, other_metal, semi, metal, insulator}};
  const Outcome bad = eqs::run(chain.simulation(Analysis::conduction), serial);
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
  EXPECT_NE(imbalance_of_currents(history, 1e-12, 1).find("sum to zero"), std::string::npos)
      << "without the first one's currents for a measure";
  history[1].seen.current[1] = NAN;
  EXPECT_NE(imbalance_of_currents(history, 1e-12).find("no numbers"), std::string::npos);
  for (Record& r : history) r.seen.current = {0, 0};
  EXPECT_EQ(imbalance_of_currents(history, 1e-12), "") << "nothing flows";
}

/// A charged plate that nothing feeds: no current at either electrode, for what conducts displaces as much.
/// E_i(t) = Q / (A eps_i) exp(-t kappa_i / eps_i).
TEST(EqsImbalance, ABodyThatDischargesThroughItsInsulationIsInBalance) {
  constexpr double epsilon0 = 8.8541878128e-12;
  Simulation s =
      column({layer("a", 1e-3, 2), layer("b", 2e-3, 3)},
             {material("a", constant(3), constant(1e-8)), material("b", constant(5), constant(1e-9))},
             steady(1), 2e-3);
  s.electrodes[0] = electrode("bottom", ElectrodeSpec::Kind::floating);
  s.electrodes[0].charge = 1e-9;
  s.time.end = 0.05;
  s.time.tolerance = 1e-5;
  for (const Scheme scheme : {Scheme::sdirk3, Scheme::rkc}) {
    s.time.scheme = scheme;
    const Outcome o = run(s, serial);
    EXPECT_TRUE(o.converged) << o.why_not;
    const auto potential = [&](double t) {
      double v = 0;
      for (const auto& [d, eps, kappa] : {std::tuple{1e-3, 3.0, 1e-8}, {2e-3, 5.0, 1e-9}})
        v += d * 1e-9 / (4e-6 * eps * epsilon0) * std::exp(-t * kappa / (eps * epsilon0));
      return v;
    };
    // 1e-5 a step, over some tens of them
    EXPECT_NEAR(o.history.back().seen.potential[0], potential(o.end), 1e-3 * potential(o.end));
    EXPECT_NEAR(o.history.front().seen.potential[0], potential(0), 1e-9 * potential(0));
  }
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
      const Observation o = observed_at_50_hz(*e, analysis);
      // the metal's share of the voltage: 1e-12 S/m, or omega 2 eps0 = 6e-9 S/m, over its conductivity
      const double share = (analysis == Analysis::conduction ? 1e-12 : 6e-9) / kappa;
      EXPECT_NEAR(o.potential[2], 1000, 1000 * (10 * share + 1e-12)) << kappa;
      EXPECT_NEAR(o.current[2], 0, 1e-9 * std::abs(o.current[0])) << kappa;
      EXPECT_NEAR(o.current[0] / o.current[1], -1, 1e-9) << int(analysis) << ' ' << kappa;
      const double area = 1e-6, u = 1000;
      if (analysis == Analysis::conduction) {
        EXPECT_NEAR(o.current[0] / (1e-12 * u / 1e-3 * area), 1, 1e-6 + share);
      }
      // the loss in the metal is that of the current: its field has all digits
      const double most =
          std::hypot(o.current[0], analysis == Analysis::harmonic ? o.current_imaginary[0] : 0);
      if (analysis != Analysis::transient) {
        EXPECT_NEAR(o.peaks[index_of(p, "m")].field * kappa * area / most, 1, 1e-3)
            << int(analysis) << ' ' << kappa;
      }
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
      s.outputs.pictures = false;
      const Outcome o = eqs::run(s, serial);
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

}  // namespace
}  // namespace umov::eqs::test
