// The frequency domain against closed forms and against the steady state of the transient.
#include <gtest/gtest.h>

#include <complex>

#include "core/contract.hpp"
#include "core/error.hpp"
#include "eqs/run/run.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

using Z = std::complex<double>;

class EqsHarmonic : public testing::TestWithParam<int> {};

TEST_P(EqsHarmonic, LayersDivideTheVoltageByTheirComplexAdmittances) {
  const double d1 = 1e-3, d2 = 2e-3, area = 1e-6, u = 1000, f = 50, phase = 35;
  Simulation s = column({layer("a", d1, 2), layer("b", d2, 3)},
                        {material("a", constant(3), constant(2e-9)), material("b", constant(5), constant(0))},
                        sine(u, f, phase));
  s.mesh.order = GetParam();
  s.analysis = Analysis::harmonic;
  const Problem p = make_problem(s);
  const auto e = make_engine(p, on("serial"));
  const double omega = 2 * pi * f;
  const Effort effort = e->solve_harmonic(omega);
  ASSERT_TRUE(effort.converged) << effort.why_not;
  const Z y1 = (2e-9 + Z(0, omega * 3 * eps_vacuum)) / d1, y2 = Z(0, omega * 5 * eps_vacuum) / d2;
  const Z drive = std::polar(u, phase * pi / 180), middle = drive * y1 / (y1 + y2),
          current = drive * y1 * y2 / (y1 + y2) * area;
  const auto v = e->potential();
  ASSERT_EQ(int(v.size()), 2 * p.nodes);
  for (int n = 0; n < p.nodes; ++n) {
    const double z = node_place(p, n)[2];
    const Z expected = z <= d1 ? drive + (middle - drive) * z / d1 : middle * (d1 + d2 - z) / d2;
    // the solver's residual of 1e-12, a condition number of 1e2
    EXPECT_NEAR(v[n], expected.real(), 1e-9 * u);
    EXPECT_NEAR(v[p.nodes + n], expected.imag(), 1e-9 * u);
  }
  const Observation o = e->observe();
  EXPECT_NEAR(o.current[0], current.real(), 1e-9 * std::abs(current));
  EXPECT_NEAR(o.current_imaginary[0], current.imag(), 1e-9 * std::abs(current));
  EXPECT_NEAR(o.current[1], -current.real(), 1e-9 * std::abs(current));
  // means over a period: power in is power lost; the charge lags the potential nowhere in layer b
  EXPECT_NEAR(o.power, 0.5 * (drive * std::conj(current)).real(), 1e-9 * o.power);
  const double energy =
      0.25 * area *
      (3 * eps_vacuum / d1 * std::norm(drive - middle) + 5 * eps_vacuum / d2 * std::norm(middle));
  EXPECT_NEAR(o.energy, energy, 1e-9 * energy);
  EXPECT_NEAR(o.peaks[index_of(p, "b")].field, std::abs(middle) / d2, 1e-9 * std::abs(middle) / d2);
}
INSTANTIATE_TEST_SUITE_P(Orders, EqsHarmonic, testing::Values(1, 2));

/// A coaxial sector with a lossy layer, two electrodes out of phase.
Simulation lossy_sector(Analysis analysis) {
  Simulation s =
      sector("coaxial", 10e-3, 20, {layer("a", 3e-3, 6), layer("b", 7e-3, 8)},
             {material("a", constant(4), constant(5e-9)), material("b", constant(2), constant(1e-10))},
             sine(1000, 50), 4);
  s.mesh.geometry->width = 5e-3;
  s.electrodes[1] = driven("outer", sine(700, 50, 110));
  s.analysis = analysis;
  return s;
}

TEST(EqsHarmonicSteady, TransientSettlesToTheHarmonicSolution) {
  const Problem ph = make_problem(lossy_sector(Analysis::harmonic)),
                pt = make_problem(lossy_sector(Analysis::transient));
  const auto h = make_engine(ph, on("cpu"));
  ASSERT_TRUE(h->solve_harmonic(100 * pi).converged);
  const auto t = make_engine(pt, on("cpu"));
  ASSERT_TRUE(t->start(0).converged);
  const Observation oh = h->observe();
  const auto v = h->potential();
  const int n = ph.nodes;
  // the slowest relaxation (layer b, 0.18 s) starts from the capacitive solution; after 20 tau nothing is
  // left
  double before = 0;
  for (const int per_period : {20, 40}) {
    ASSERT_TRUE(t->start(0).converged);
    march(*t, 1.0, 50 * per_period);
    march(*t, 1.0 + 0.005, per_period / 4);
    const auto vt = t->potential();
    double worst = 0;
    for (int k = 0; k < n; ++k) worst = std::max(worst, std::abs(vt[k] - v[k]));  // Im(v j) = Re v
    const Observation ot = t->observe();
    EXPECT_NEAR(ot.current[0], oh.current[0],
                20 * worst / 1000 * std::hypot(oh.current[0], oh.current_imaginary[0]));
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / worst), 3, 0.4) << "only the integrator's third-order error is left";
    }
    EXPECT_LT(worst, per_period == 40 ? 0.05 : 0.5);
    before = worst;
  }
}

TEST(EqsHarmonicSteady, NothingConductingGivesElectrostaticsAndMuchConductionGivesItsOwn) {
  Simulation s = lossy_sector(Analysis::harmonic);
  s.electrodes[1] = electrode("outer");
  const auto solve = [&](double kappa_scale, double omega) {
    Simulation c = s;
    c.materials[0].conductivity.value = 5e-9 * kappa_scale;
    c.materials[1].conductivity.value = 1e-10 * kappa_scale;
    const auto e = make_engine(make_problem(c), on("serial"));
    EXPECT_TRUE(e->solve_harmonic(omega).converged);
    return e->potential();
  };
  const auto fixed = [&](Analysis a) {
    Simulation c = s;
    c.analysis = a;
    c.electrodes[0].waveform = steady(1000);
    const auto e = make_engine(make_problem(c), on("serial"));
    EXPECT_TRUE(e->solve_static(0).converged);
    return e->potential();
  };
  const auto capacitive = solve(0, 100 * pi), conducting = solve(1, 1e-8);
  const auto electrostatic = fixed(Analysis::electrostatic), conduction = fixed(Analysis::conduction);
  for (std::size_t k = 0; k < electrostatic.size(); ++k) {
    EXPECT_NEAR(capacitive[k], electrostatic[k], 1e-7);
    EXPECT_NEAR(capacitive[electrostatic.size() + k], 0, 1e-7);
    EXPECT_NEAR(conducting[k], conduction[k], 1e-6);  // omega eps / kappa = 2e-9 of 1000 V is left
  }
}

TEST(EqsHarmonicSteady, FloatingConductorTakesThePotentialAtWhichNoCurrentEntersIt) {
  const double area = 1e-6, omega = 100 * pi;
  for (const int order : {1, 2}) {
    Simulation s =
        column({layer("a", 1e-3, 1), layer("plate", 1e-3, 1), layer("b", 2e-3, 2)},
               {material("a", constant(2), constant(3e-9)), material("b", constant(5), constant(0))},
               sine(1000, 50, -40));
    s.mesh.order = order;
    s.analysis = Analysis::harmonic;
    s.electrodes.push_back(electrode("plate", ElectrodeSpec::Kind::floating));
    const auto e = make_engine(make_problem(s), on("serial"));
    ASSERT_TRUE(e->solve_harmonic(omega).converged);
    const Z y1 = (3e-9 + Z(0, omega * 2 * eps_vacuum)) / 1e-3 * area,
            y2 = Z(0, omega * 5 * eps_vacuum) / 2e-3 * area;
    const Z drive = std::polar(1000.0, -40 * pi / 180), v = drive * y1 / (y1 + y2);
    const Observation o = e->observe();
    EXPECT_NEAR(o.potential[2], v.real(), 1e-9 * 1000);
    EXPECT_NEAR(o.potential_imaginary[2], v.imag(), 1e-9 * 1000);
    const double size = std::abs(v * y2);
    EXPECT_NEAR(o.current[2], 0, 1e-9 * size);
    EXPECT_NEAR(o.current_imaginary[2], 0, 1e-9 * size);
    EXPECT_NEAR(o.current[1], -(v * y2).real(), 1e-9 * size);
    EXPECT_NEAR(o.current_imaginary[1], -(v * y2).imag(), 1e-9 * size);
  }
}

TEST(EqsHarmonicSteady, WithoutAVoltageAllIsZero) {
  Simulation s = lossy_sector(Analysis::harmonic);
  for (auto& e : s.electrodes) e.waveform.amplitude = 0;
  const Outcome o = run(s);
  ASSERT_TRUE(o.converged) << o.why_not;
  EXPECT_EQ(o.history[0].seen.current[0], 0);
  EXPECT_EQ(o.history[0].seen.energy, 0);
}

TEST(EqsHarmonicSteady, WhatIsNotLinearOrNotASineIsRefused) {
  Simulation s = lossy_sector(Analysis::harmonic);
  s.materials[0].conductivity = microvaristor();
  EXPECT_THROW(make_problem(s), BadInput);
  s = lossy_sector(Analysis::harmonic);
  s.electrodes[0].waveform = steady(1);
  EXPECT_THROW(make_problem(s), BadInput);
  s = lossy_sector(Analysis::harmonic);
  const auto e = make_engine(make_problem(s), on("serial"));
  EXPECT_THROW(e->solve_harmonic(0), BadInput);
  EXPECT_THROW(e->solve_static(0), BrokenContract);
  EXPECT_THROW(e->start(0), BrokenContract);
}

}  // namespace
}  // namespace umov::eqs::test
