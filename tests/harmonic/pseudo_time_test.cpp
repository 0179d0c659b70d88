// The iteration in pseudo-time: its steady fields against the layered cell's inverse, metals, stopping,
// diverging.
#include "harmonic/kernels/pseudo_time.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "harmonic/marched.hpp"
#include "harmonic/method.hpp"
#include "harmonic/pseudo_time_coefficients.hpp"
#include "harmonic/pseudo_time_watch.hpp"
#include "harmonic/wavy_cell.hpp"

namespace umov::harmonic {
namespace {

Marched march(const Problem& problem, Polarization polarization, const PseudoTimeOptions& options,
              const PseudoTimeRequest& request = {"serial"}) {
  Marched out = prepare(problem, polarization);
  out.report = make_pseudo_time(problem, request)->run(out.layered, options, out.fields);
  return out;
}

PseudoTimeOptions to(double tolerance) {
  PseudoTimeOptions o;
  o.tolerance = tolerance;
  o.max_steps = 200000;
  return o;
}

struct Way {
  bool silver;
  Polarization polarization;
  double angle, period_y;
  bool single = false;
};

class HarmonicPseudoTime : public testing::TestWithParam<Way> {};

TEST_P(HarmonicPseudoTime, StandsStillAtTheFieldsOfTheLayeredInverse) {
  const Way way = GetParam();
  const double period = way.period_y > 0 ? 0.075 : 0.3;
  const auto cell = way.silver ? silver_cell(period, way.period_y) : small_cell(period, way.period_y);
  SolveOptions options;
  options.tolerance = 1e-9;
  const Solved fast =
      solve_cell(cell, way.silver ? with_silver : dielectrics, 0.55, way.angle, way.polarization, options);
  ASSERT_TRUE(fast.report.converged);
  PseudoTimeRequest request{"serial"};
  request.single = way.single;
  const Marched slow = march(fast.problem, way.polarization, to(3e-7), request);
  ASSERT_TRUE(slow.report.converged) << slow.report.text();
  EXPECT_LT(apart(slow.fields, fast.fields), 1e-6) << slow.report.text();
  EXPECT_LT(slow.report.residual, 1e-4);
  RecordProperty("steps", int(slow.report.steps));
}

INSTANTIATE_TEST_SUITE_P(
    Cells, HarmonicPseudoTime,
    testing::Values(Way{false, Polarization::s, 25 * degree, 0}, Way{false, Polarization::p, 25 * degree, 0},
                    Way{false, Polarization::p, 0, 0}, Way{false, Polarization::s, 0, 0.05},
                    Way{false, Polarization::p, 25 * degree, 0.05},
                    Way{true, Polarization::s, 25 * degree, 0}, Way{true, Polarization::p, 25 * degree, 0},
                    Way{true, Polarization::p, 0, 0}, Way{true, Polarization::p, 0, 0.05},
                    Way{true, Polarization::s, 25 * degree, 0.05},
                    Way{false, Polarization::p, 25 * degree, 0, true},
                    Way{true, Polarization::p, 25 * degree, 0, true}),
    [](const auto& info) {
      const Way& w = info.param;
      return std::string(w.silver ? "Silver" : "Dielectric") +
             (w.polarization == Polarization::s ? "S" : "P") + (w.angle > 0 ? "Oblique" : "") +
             (w.period_y > 0 ? "InSpace" : "") + (w.single ? "Single" : "");
    });

/// A half space of `permittivity`, one column, wavelength 1, the permittivity of its node in every edge, and
/// the frequency of `steps` per period, as the thesis takes both.
Problem half_space(cplx permittivity, int cells, int steps) {
  const double d = 1.0 / cells;
  const auto cell = LayeredCell::make({0}, {d, d, d}, 1, 1, 3, 1);  // deep absorbing layers: 1e-6 come back
  Problem p = make_problem(cell, {1, permittivity}, 1, {0, 0});
  p.k0 = 2 * steps * std::sin(pi / steps);  // (2 / tau) sin(w tau / 2) with w tau = 2 pi / steps
  const cplx lossy(permittivity.real(), permittivity.imag() * 2 * pi / p.k0 * std::cos(pi / steps));
  for (int k = 0; k < p.grid.nz; ++k) p.tangential[k] = p.normal[k] = k < cell.first_plane ? 1.0 : lossy;
  p.media = {1, lossy};
  set_absorbing_layers(p, 1, lossy);
  return p;
}

TEST(HarmonicPseudoTimeMetal, ReflectsAsMuchAsTheGridsSolutionSays) {
  // reflection of a half space on the grid, of first order as its surface is that of a node; the exact value
  // is 0.943588
  const double known[] = {0.95084, 0.94566, 0.94413};
  for (int n = 0; n < 3; ++n) {
    const int cells = 20 << n;
    const Problem p = half_space(cplx(-11.685, 1.267), cells, 46 << n);
    PseudoTimeOptions options = to(1e-8);
    options.steps_per_period = 46 << n;
    const Marched m = march(p, Polarization::s, options);
    ASSERT_TRUE(m.report.converged) << m.report.text();
    const double reflection = -vertical_flux(p, m.fields, p.grid.reflection_plane()) / m.wave.power;
    EXPECT_NEAR(reflection, known[n], 1.5e-5) << cells;  // the numbers' five digits, and their time step's
  }
}

TEST(HarmonicPseudoTimeMetal, DivergesForwardsAndSaysWhy) {
  const Problem p = half_space(cplx(-11.685, 1.267), 20, 46);
  PseudoTimeOptions options = to(1e-8);
  options.backwards = false;
  options.ramp = 0;
  const Marched m = march(p, Polarization::s, options);
  EXPECT_FALSE(m.report.converged);
  EXPECT_LT(m.report.steps, 1000);
  EXPECT_NE(m.report.diverged.find("not iterated backwards"), std::string::npos) << m.report.diverged;
}

TEST(HarmonicPseudoTimeMetal, EveryPermittivityHasStepsThatContractAndStandStillAtItsEquation) {
  const Problem p = half_space(2, 20, 46);
  const auto step = pseudo_time_step(p, 0.9);
  for (const cplx eps : {cplx(1), cplx(17, 1.2), cplx(2.25, 40), cplx(-10.5, 0.3), cplx(-1, 0.01),
                         cplx(0.02, 0.5), cplx(-0.3, 0.1), cplx(0, 3)}) {
    const HalfStep h = electric_step(eps, p.k0, step);
    EXPECT_LE(std::abs(h.t), 1 + 1e-14) << eps;
    if (eps.imag() > 0) {
      EXPECT_LT(std::abs(h.t), 1) << eps;
    }
    // E = t E + s (-i k0 eps E)
    EXPECT_NEAR(std::abs(h.t + h.s * cplx(0, -p.k0) * eps - 1.0), 0, 1e-12) << eps;
  }
}

TEST(HarmonicPseudoTimeWatched, ASourceSwitchedOnAtOnceHoldsTheChangePerStepUpButNotTheMeans) {
  const Problem p = solve_cell(silver_cell(0.3, 0), with_silver, 0.55, 0, Polarization::p).problem;
  PseudoTimeOptions sudden = to(1e-4), ramped = to(1e-4);
  sudden.ramp = 0;
  const auto a = march(p, Polarization::p, sudden).report, b = march(p, Polarization::p, ramped).report;
  ASSERT_TRUE(a.converged && b.converged) << a.text() << b.text();
  EXPECT_GT(a.step_change, 30 * a.period_change / a.steps_per_period);
  EXPECT_GT(a.step_change, 30 * b.step_change);  // the static field it leaves
  EXPECT_LT(b.steps, a.steps);
}

TEST(HarmonicPseudoTimeWatched, StopsShortOfTheGoalWithItsTrendAndTheStepsLeft) {
  const Problem p = solve_cell(small_cell(0.3, 0), dielectrics, 0.55, 0, Polarization::s).problem;
  const auto whole = march(p, Polarization::s, to(1e-8)).report;
  ASSERT_TRUE(whole.converged);
  PseudoTimeOptions few = to(1e-8);
  few.max_steps = whole.steps * 2 / 3;
  const auto part = march(p, Polarization::s, few).report;
  EXPECT_FALSE(part.converged);
  EXPECT_GT(part.decay, 0);
  EXPECT_GT(part.steps_left, 0);
  EXPECT_LT(part.steps_left, 3.0 * double(whole.steps));
  EXPECT_NE(part.text().find("steps left"), std::string::npos) << part.text();
}

TEST(HarmonicPseudoTimeWatched, WhatIsNotANumberStopsWithinAHundredStepsWithItsCause) {
  Problem p = solve_cell(small_cell(0.3, 0), dielectrics, 0.55, 0, Polarization::s).problem;
  p.permittivity[7] = std::numeric_limits<double>::quiet_NaN();
  const auto r = march(p, Polarization::s, to(1e-6)).report;
  EXPECT_LE(r.steps, 100);
  EXPECT_NE(r.diverged.find("a permittivity is not a number"), std::string::npos) << r.diverged;
  Problem q = solve_cell(small_cell(0.3, 0), dielectrics, 0.55, 0, Polarization::s).problem;
  PseudoTimeOptions fast = to(1e-6);
  fast.courant = 1.3;
  const auto s = march(q, Polarization::s, fast).report;
  EXPECT_NE(s.diverged.find("lower courant"), std::string::npos) << s.text();
  EXPECT_LT(s.steps, 1500);
  for (cplx& eps : q.permittivity) eps = std::conj(eps) - cplx(0, 0.5);
  EXPECT_NE(march(q, Polarization::s, to(1e-6)).report.diverged.find("gains"), std::string::npos);
}

TEST(HarmonicPseudoTimeWatched, DistanceOfAKnownSequence) {
  // one mode, 0.98 exp(0.3 i) per period, of amplitude 1 at first; samples every second period
  PseudoTimeWatch watch(1, 1e-3, 0, 50, 1e-14);
  const cplx lambda = std::polar(0.98, 0.3);
  cplx left = 1;
  for (int n = 1; n <= 40; ++n) {
    left *= lambda * lambda;
    const cplx change = left * (lambda - 1.0);
    watch.add({n * 100, 1, 0, std::abs(change)}, {change, 2.0 * change});
  }
  EXPECT_NEAR(watch.decay(), -1 / std::log(0.98), 1e-6);
  // of the last three samples the largest change counts
  EXPECT_NEAR(watch.distance(), std::abs(left) / std::pow(0.98, 4 * 2), 0.2 * std::abs(left));
  EXPECT_NEAR(watch.steps_left(), 50 * watch.decay() * std::log(watch.distance() / 1e-3), 1e-9);
  EXPECT_FALSE(watch.settled());
}

TEST(HarmonicMethod, PseudoTimeTakesOverWhereTheLayeredInverseStalls) {
  const auto cell = small_cell(0.3, 0);
  SolveOptions options;
  options.tolerance = 1e-9;
  const Solved whole = solve_cell(cell, dielectrics, 0.55, 0, Polarization::s, options);
  IncidentWave wave;
  const auto layered = layered_field(whole.problem, Polarization::s, wave);
  options.tolerance = 1e-7;
  options.max_iterations = 5;
  std::string said;
  const MethodOptions how{Method::automatic, 100000, [&](const std::string& text) { said += text + "\n"; }};
  Fields fields;
  const auto report = make_engine_by(how, whole.problem, {"serial", 0})->solve(layered, options, fields);
  EXPECT_TRUE(report.converged) << said;
  EXPECT_GT(report.iterations, 500);
  EXPECT_LT(apart(fields, whole.fields), 1e-6);
  EXPECT_NE(said.find("pseudo-time goes on from there"), std::string::npos) << said;
  Fields alone;
  const auto stopped = make_engine_by({Method::layered, 1, {}}, whole.problem, {"serial", 0});
  EXPECT_FALSE(stopped->solve(layered, options, alone).converged);
}

TEST(HarmonicMethod, PseudoTimeTakesThePrecisionAskedFor) {
  const Problem p = make_problem(silver_cell(0.3, 0), with_silver, 0.55, {0, 0});
  const Marched m = prepare(p, Polarization::s);
  SolveOptions options;
  options.tolerance = 1e-4;
  for (const auto& [precision, single] : {std::pair(Precision::single, true),
                                          {Precision::double_, false},
                                          {Precision::automatic, false}}) {  // serial
    Fields fields;
    const auto engine = make_engine_by({Method::pseudo_time, 100000, {}}, p, {"serial", 0, 0, precision});
    const auto report = engine->solve(m.layered, options, fields);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.single, single);
    EXPECT_LT(report.residual, 0.1);
  }
  // half the memory of the steps
  EXPECT_LT(estimated_memory(Method::pseudo_time, p, {"cuda", 0, 0, Precision::single}).device,
            0.6 * estimated_memory(Method::pseudo_time, p, {"cuda", 0, 0, Precision::double_}).device);
}

TEST(HarmonicMethod, AResidualThatHalvesNowAndThenIsNoStall) {
  StallWatch falling, flat;
  bool early = false, late = false, slow = false;
  for (int n = 1; n <= 2000; ++n) {
    slow = slow || falling.stalled(std::exp(-n / 150.0) * (1 + 0.9 * std::sin(n)));
    (n < 400 ? early : late) |= flat.stalled(0.4 + 0.1 * std::sin(n));
  }
  EXPECT_FALSE(slow);
  EXPECT_FALSE(early);
  EXPECT_TRUE(late);
}

TEST(HarmonicMethod, UnknownBackendsAreRefused) {
  const Problem p = half_space(2, 20, 46);
  EXPECT_THROW(make_pseudo_time(p, {"abacus"}), BadInput);
}

}  // namespace
}  // namespace umov::harmonic
