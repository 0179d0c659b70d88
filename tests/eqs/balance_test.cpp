// What must balance: charge, power over a period, half waves of the steady state.
#include <gtest/gtest.h>

#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

/// Two layers that reach their steady state within a few periods: the slowest time is 16 eps0 / 1e-8 S/m.
Simulation switching_film(Scheme scheme = Scheme::sdirk3, bool eps_curve = false) {
  CurveSpec kappa = microvaristor();
  kappa.parameters = {1e-8, 1864, 0.7e6, 2.4e6};
  const CurveSpec eps = eps_curve ? formula("6 + 6 / (1 + (E / 8e5)^2)") : constant(12);
  Simulation s = column({layer("layer", 2e-3, 1), layer("air", 2e-3, 1)},
                        {material("layer", eps, kappa), material("air", constant(4), constant(0))},
                        sine(7e3 * std::sqrt(2.0), 50, 0, WaveformSpec::Ramp::linear));
  s.time.scheme = scheme;
  s.newton.tolerance = 1e-12;
  s.linear.amg.single_precision = false;
  return s;
}

TEST(EqsBalance, SteadyStateChangesSignAfterHalfAPeriod) {
  for (const Scheme scheme : {Scheme::sdirk3, Scheme::esdirk3, Scheme::implicit_euler}) {
    const Problem p = make_problem(switching_film(scheme));
    const auto e = make_engine(p, on("serial"));
    ASSERT_TRUE(e->start(0).converged);
    const auto mean_layer = [&] {
      const auto v = e->potential();
      double sum = 0, count = 0;
      for (int n = 0; n < p.nodes; ++n)
        if (std::abs(node_place(p, n)[2] - 2e-3) < 1e-9) sum += v[n], count += 1;
      return sum / count;
    };
    // a whole number of steps per half period, so that the discrete solution has the symmetry too; 25 periods
    // are 35 times the slowest time constant
    march(*e, 0.5, 40 * 25);
    for (int k = 0; k < 3; ++k) {
      march(*e, e->time() + 0.003, 6);
      const double now = mean_layer();
      march(*e, e->time() + 0.01, 20);
      EXPECT_NEAR(mean_layer(), -now, 1e-8 * 1e4);
    }
  }
}

TEST(EqsBalance, PowerDeliveredOverAPeriodIsPowerLost) {
  for (const bool eps_curve : {false, true}) {
    double before = 0;
    for (const int steps : {80, 160, 320}) {
      const Problem p = make_problem(switching_film(Scheme::sdirk3, eps_curve));
      const auto e = make_engine(p, on("serial"));
      ASSERT_TRUE(e->start(0).converged);
      march(*e, 0.4, 20 * steps);
      const double lost_before = e->observe().dissipated, energy_before = e->observe().energy;
      double delivered = 0, lost = 0;
      for (int k = 0; k < steps; ++k) {
        march(*e, 0.4 + 0.02 * (k + 1) / steps, 1);
        const Observation o = e->observe();
        // the trapezoidal rule converges faster than any power of the step for a smooth periodic function
        for (std::size_t q = 0; q < o.potential.size(); ++q)
          delivered += o.potential[q] * o.current[q] * 0.02 / steps;
        lost += o.power * 0.02 / steps;
      }
      const Observation o = e->observe();
      const double integrated = o.dissipated - lost_before;
      EXPECT_NEAR(o.energy, energy_before, 1e-9 * o.energy);
      const double error = std::abs(delivered - integrated) / integrated;
      if (steps == 320) {
        // what is left is the integrator's third-order error
        EXPECT_LT(error, before / 5);
        EXPECT_LT(error, 2e-5);
        EXPECT_NEAR(lost, integrated, 2e-5 * integrated);
      }
      before = error;
    }
  }
}

TEST(EqsBalance, CurrentsOfAllElectrodesAddUpToNothing) {
  for (const bool eps_curve : {false, true}) {
    Simulation s = sector(
        "coaxial", 10e-3, 30, {layer("a", 2e-3, 4), layer("b", 5e-3, 5)},
        {material("a", eps_curve ? formula("4 + 3 / (1 + (E / 1e6)^2)") : constant(12), microvaristor()),
         material("b", constant(3), constant(1e-10))},
        sine(15e3, 50, 70), 4);
    s.mesh.geometry->width = 4e-3;
    s.symmetry = {"z"};
    // differences of charges over microseconds magnify what Newton's iteration leaves
    s.newton.tolerance = 1e-12;
    const Problem p = make_problem(s);
    const auto e = make_engine(p, on("cpu"));
    ASSERT_TRUE(e->start(0).converged);
    for (int k = 0; k < 5; ++k) {
      march(*e, e->time() + 3e-4, 1);
      const Observation o = e->observe();
      // div J = 0 holds for the exact rates, up to the solver's residual
      EXPECT_NEAR(o.current[0] + o.current[1], 0, 1e-9 * std::abs(o.current[0]));
      double materials = 0, energies = 0;
      for (const double v : o.material_power) materials += v;
      for (const double v : o.material_energy) energies += v;
      EXPECT_NEAR(materials, o.power, 1e-12 * o.power);
      EXPECT_NEAR(energies, o.energy, 1e-12 * o.energy);
    }
    // the rates against differences of charge around a time
    const double h = 1e-6;
    const Observation a = e->observe();
    march(*e, e->time() + h, 1);
    const Observation b = e->observe();
    march(*e, e->time() + h, 1);
    const Observation c = e->observe();
    for (int q = 0; q < 2; ++q) {
      const double rate = (c.charge[q] - a.charge[q]) / (2 * h);
      EXPECT_NEAR(b.current[q] - b.conduction[q], rate, 1e-5 * std::abs(rate));
    }
  }
}

TEST(EqsBalance, AnInsulatedConductorKeepsItsChargeThroughoutALongRun) {
  // between two plates: V = (C1 U1 + C2 U2 + Q) / (C1 + C2) at every time, whatever the steps before
  const double charge = 2e-12, area = 1e-6, c1 = eps_vacuum * 2 / 1e-3 * area,
               c2 = eps_vacuum * 5 / 2e-3 * area;
  for (const int order : {1, 2})
    for (const Scheme scheme : {Scheme::sdirk3, Scheme::esdirk3, Scheme::implicit_euler}) {
      Simulation s =
          column({layer("a", 1e-3, 1), layer("plate", 1e-3, 1), layer("b", 2e-3, 2)},
                 {material("a", constant(2), constant(0)), material("b", constant(5), constant(0))},
                 sine(1000, 50, 30));
      s.mesh.order = order;
      s.time.scheme = scheme;
      ElectrodeSpec plate = electrode("plate", ElectrodeSpec::Kind::floating);
      plate.charge = charge;
      s.electrodes.push_back(plate);
      const Problem p = make_problem(s);
      const auto e = make_engine(p, on("serial"));
      ASSERT_TRUE(e->start(0).converged);
      for (int k = 0; k < 4; ++k) {
        const double u = waveform(p.electrodes[0].waveform, e->time());
        const Observation o = e->observe();
        EXPECT_NEAR(o.potential[2], (c1 * u + charge) / (c1 + c2), 1e-9 * 1000);
        EXPECT_NEAR(o.charge[2], charge, 1e-9 * charge);
        EXPECT_EQ(o.current[2], 0);
        march(*e, e->time() + 0.0131, 100);
      }
    }
}

TEST(EqsBalance, WhatAConductorLosesByConductionItsChargeLoses) {
  // the plate leaks through b: V relaxes with tau = (C1 + C2) / G2
  const double area = 1e-6, c1 = eps_vacuum * 2 / 1e-3 * area, c2 = eps_vacuum * 5 / 2e-3 * area,
               g2 = 1e-9 / 2e-3 * area;
  Simulation s = column({layer("a", 1e-3, 1), layer("plate", 1e-3, 1), layer("b", 2e-3, 2)},
                        {material("a", constant(2), constant(0)), material("b", constant(5), constant(1e-9))},
                        steady(1000));
  s.electrodes.push_back(electrode("plate", ElectrodeSpec::Kind::floating));
  const Problem p = make_problem(s);
  const auto e = make_engine(p, on("serial"));
  ASSERT_TRUE(e->start(0).converged);
  const double tau = (c1 + c2) / g2, v0 = c1 * 1000 / (c1 + c2);
  march(*e, tau, 80);
  const Observation o = e->observe();
  const double v = v0 * std::exp(-1);
  EXPECT_NEAR(o.potential[2], v, 2e-7 * v0);  // third order with 80 steps: (1/80)^3 / 24 of it
  EXPECT_NEAR(o.charge[2], (c1 + c2) * o.potential[2] - c1 * 1000, 1e-9 * c1 * 1000);
  EXPECT_NEAR(o.conduction[2], g2 * o.potential[2], 1e-9 * g2 * 1000);
  // what went through b is what the plate lost
  EXPECT_NEAR(o.dissipated, 0.5 * (c1 + c2) * (v0 * v0 - v * v), 1e-6 * (c1 + c2) * v0 * v0);
}

}  // namespace
}  // namespace umov::eqs::test
