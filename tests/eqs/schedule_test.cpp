// Runs of whole waveforms against the exact relaxation of two layers: no step is longer than a waveform
// allows.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>

#include "core/error.hpp"
#include "eqs/run/run.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

using Kind = WaveformSpec::Kind;
using Ramp = WaveformSpec::Ramp;

constexpr double scheduled_d1 = 1e-3, d2 = 2e-3, eps1 = 4 * eps_vacuum, eps2 = 2 * eps_vacuum, kappa2 = 1e-13;

/// The field in the first of two layers in series, from its ordinary differential equation: with the charge s
/// of the interface, E1 = (s + eps2 V / d2) / (eps1 + eps2 d1 / d2), ds/dt = kappa2 E2 - kappa1 E1, s(0) = 0.
/// Runge-Kutta of fourth order with `steps` steps between neighbouring times; V must be smooth between them.
std::vector<double> exact_field(double kappa1, const std::function<double(double)>& v,
                                const std::vector<double>& times, int steps) {
  const auto field = [&](double s, double t) {
    return (s + eps2 * v(t) / d2) / (eps1 + eps2 * scheduled_d1 / d2);
  };
  const auto rate = [&](double s, double t) {
    const double e1 = field(s, t);
    return kappa2 * (v(t) - scheduled_d1 * e1) / d2 - kappa1 * e1;
  };
  std::vector<double> out{field(0, times[0])};
  double s = 0;
  for (std::size_t k = 1; k < times.size(); ++k) {
    const double h = (times[k] - times[k - 1]) / steps;
    for (int i = 0; i < steps; ++i) {
      const double t = times[k - 1] + i * h;
      const double a = rate(s, t), b = rate(s + h / 2 * a, t + h / 2), c = rate(s + h / 2 * b, t + h / 2),
                   d = rate(s + h * c, t + h);
      s += h / 6 * (a + 2 * b + 2 * c + d);
    }
    out.push_back(field(s, times[k]));
  }
  return out;
}

Simulation two_layers(const WaveformSpec& w, double kappa1) {
  Simulation s = column(
      {layer("one", scheduled_d1, 1), layer("two", d2, 1)},
      {material("one", constant(4), constant(kappa1)), material("two", constant(2), constant(kappa2))}, w);
  s.outputs.points = {{"in one", {2e-4, 3e-4, 4e-4}}};
  s.outputs.pictures = false;
  return s;
}

struct Found {
  Outcome outcome;
  double error = 0;    ///< largest, over the largest field
  double longest = 0;  ///< step
};

/// `smooth`: what the voltage is between two neighbouring steps (a table may kink only at steps).
Found run_and_compare(Simulation s, double kappa1) {
  Found f;
  f.outcome = eqs::run(s, serial);
  EXPECT_TRUE(f.outcome.converged) << f.outcome.why_not;
  std::vector<double> times;
  for (const auto& r : f.outcome.history) times.push_back(r.time);
  WaveformSpec w = s.electrodes[0].waveform;
  check_waveform(w, "test");
  // Its steps have to be shorter than the fastest decay, 1900 / s, between steps of a tenth of a second.
  const auto exact = exact_field(
      kappa1, [&](double t) { return waveform(w, t); }, times, 512);
  double most = 0;
  for (std::size_t k = 0; k < times.size(); ++k) {
    most = std::max(most, std::abs(exact[k]));
    f.error = std::max(f.error, std::abs(f.outcome.history[k].point_field[0][2] - exact[k]));
    f.longest = std::max(f.longest, f.outcome.history[k].step);
  }
  f.error /= most;
  return f;
}

bool hits(const Outcome& o, double time) {
  for (const auto& r : o.history)
    if (std::abs(r.time - time) <= 1e-12 * o.end) return true;
  return false;
}

WaveformSpec of_kind(Kind kind, double amplitude = 1000) {
  WaveformSpec w = steady(amplitude);
  w.kind = kind;
  return w;
}

WaveformSpec voltage_table(const std::vector<double>& time, const std::vector<double>& values) {
  WaveformSpec w = of_kind(Kind::table, 0);
  w.time = time, w.values = values;
  return w;
}

/// Every waveform, by `end`, under every integrator: the error stays near the tolerance, which the estimate
/// alone did not see to when steps came out as whole periods.
TEST(EqsSchedule, EveryWaveformMeetsTheExactRelaxation) {
  struct Case {
    const char* name;
    WaveformSpec w;
    double end, kappa1;
  };
  WaveformSpec ramped = sine(1000, 50, 0, Ramp::linear), smooth = sine(1000, 50, 40, Ramp::smooth);
  smooth.ramp_time = 2e-3;
  WaveformSpec rise = of_kind(Kind::step), impulse = of_kind(Kind::impulse);
  rise.rise = 1e-4;
  const Case cases[] = {
      {"50 Hz to 1 s", sine(1000), 1, 1e-10},
      {"1 kHz", sine(1000, 1000), 0.05, 1e-7},
      {"phase", sine(1000, 50, 90), 0.4, 1e-9},
      {"linear ramp", ramped, 0.1, 1e-9},
      {"smooth ramp", smooth, 0.1, 1e-9},
      {"constant", steady(1000), 0.1, 1e-9},
      {"step", of_kind(Kind::step), 0.1, 1e-9},
      {"rise of 0.1 ms in 1 s", rise, 1, 1e-9},
      {"1.2/50 in 10 ms", impulse, 1e-2, 1e-6},
      {"pulse in the middle", voltage_table({0, 0.7, 0.7001, 0.7002, 1}, {0, 0, 1000, 0, 0}), 1, 1e-7},
      {"burst", voltage_table({0, 0.301, 0.302, 0.303, 0.304, 0.305}, {0, 0, 700, -700, 700, 0}), 1, 1e-8}};
  for (const Scheme scheme : {Scheme::sdirk3, Scheme::esdirk3, Scheme::implicit_euler})
    for (const Case& c : cases) {
      Simulation s = two_layers(c.w, c.kappa1);
      s.time.end = c.end;
      s.time.scheme = scheme;
      s.outputs.interval = c.end;
      const Found f = run_and_compare(s, c.kappa1);
      // the tolerance is a step's. Over the run 0.38 of it was measured at most for the third-order schemes,
      // for Euler's 17.5 (its errors add up over the 50 periods at 1 kHz)
      EXPECT_LT(f.error, (scheme == Scheme::implicit_euler ? 20 : 1) * s.time.tolerance)
          << c.name << ", scheme " << int(scheme) << ", " << f.outcome.steps << " steps";
    }
}

TEST(EqsSchedule, StepsKeepATwentiethOfTheFastestPeriodHoweverTheEndIsGiven) {
  for (const bool by_end : {true, false}) {
    Simulation s = two_layers(sine(1000, 300), 1e-10);
    s.mesh.geometry->layers[0].elements = 2;
    s.time.frequency = 50;
    if (by_end)
      s.time.end = 0.1;
    else
      s.time.periods = 5;
    const Found f = run_and_compare(s, 1e-10);
    EXPECT_LE(f.longest, 0.05 / 300 * (1 + 1e-9));
    EXPECT_GE(f.outcome.steps, 600);
    s.time.max_step = 0.05;  // of the user's: a bound from above as well
    EXPECT_LE(run_and_compare(s, 1e-10).longest, 0.05 / 300 * (1 + 1e-9));
  }
  // the fastest of several electrodes counts
  Simulation s = two_layers(sine(1000, 50), 1e-10);
  s.electrodes[1] = driven("top", sine(10, 450));
  s.time.end = 0.04;
  const auto o = eqs::run(s, serial);
  for (const auto& r : o.history) EXPECT_LE(r.step, 0.05 / 450 * (1 + 1e-9));
  EXPECT_NEAR(o.period, 0.02, 1e-15);
}

TEST(EqsSchedule, KinksOfTablesAndEndsOfRisesAreHitExactly) {
  Simulation s =
      two_layers(voltage_table({0, 0.0123, 0.0124, 0.05, 0.051, 0.1}, {0, 10, 500, 500, -100, 0}), 1e-9);
  s.time.end = 0.1;
  const auto o = eqs::run(s, serial);
  for (const double kink : {0.0123, 0.0124, 0.05, 0.051}) EXPECT_TRUE(hits(o, kink)) << kink;
  WaveformSpec rise = of_kind(Kind::step);
  rise.rise = 3.7e-5;
  s = two_layers(rise, 1e-9);
  s.time.end = 1;
  EXPECT_TRUE(hits(eqs::run(s, serial), 3.7e-5));
  // points on a straight line are no kinks
  EXPECT_EQ(bends(voltage_table({0, 1, 2, 3, 4}, {0, 1, 2, 3, 0}), 10), (std::vector<double>{3, 4}));
}

TEST(EqsSchedule, PeriodsRepeatWhenAllSinesDo) {
  const auto of = [](std::vector<double> frequencies) {
    std::vector<ElectrodeSpec> list;
    for (const double f : frequencies) list.push_back(driven("e" + std::to_string(f), sine(1, f)));
    return common_period(list);
  };
  EXPECT_DOUBLE_EQ(of({50, 50}), 0.02);
  EXPECT_DOUBLE_EQ(of({50, 60}), 0.1);
  EXPECT_DOUBLE_EQ(of({16.7, 50}), 1 / 0.1);
  EXPECT_EQ(of({50, 50 * std::sqrt(2.0)}), 0);
  EXPECT_EQ(of({}), 0);
}

bool warned(const Outcome& o, const std::string& part) {
  for (const auto& w : o.warnings)
    if (w.find(part) != std::string::npos) return true;
  return false;
}

TEST(EqsSchedule, FixedStepsThatAliasAreWarnedOfWithNumbers) {
  Simulation s = two_layers(sine(1000, 50), 1e-9);
  s.time.end = 0.1;
  s.time.step = 0.01;
  EXPECT_TRUE(
      warned(eqs::run(s, serial), "fixed steps of 10 ms are 2 in a period of electrode 'bottom', 20 ms"));
  s.time.step = 1e-3;
  EXPECT_TRUE(eqs::run(s, serial).warnings.empty());
  s.electrodes[0].waveform = of_kind(Kind::impulse);
  EXPECT_TRUE(warned(eqs::run(s, serial), "in the front of electrode 'bottom', 1.2 \xC2\xB5s"));
}

TEST(EqsSchedule, AnIntervalBeyondTheEndIsWarnedOf) {
  Simulation s = two_layers(sine(1000, 50), 1e-9);
  s.time.end = 2e-3;
  s.outputs.interval = 5e-3;
  const std::string part = "output.interval is 5 ms and the run ends at 2 ms";
  EXPECT_TRUE(warned(eqs::run(s, serial), part));
  for (const double interval : {2e-3, 1e-3, 0.0}) {
    s.outputs.interval = interval;
    EXPECT_FALSE(warned(eqs::run(s, serial), "output.interval")) << interval;
  }
}

TEST(EqsSchedule, TablesThatEndEarlyOrBeginLateAreWarnedOf) {
  Simulation s = two_layers(voltage_table({0.005, 0.01, 0.015}, {700, 1000, 500}), 1e-9);
  s.time.end = 0.02;
  const auto o = eqs::run(s, serial);
  EXPECT_TRUE(
      warned(o, "the table of electrode 'bottom' begins at 5 ms, the run at 0 s (700 V is held there)"));
  EXPECT_TRUE(
      warned(o, "the table of electrode 'bottom' ends at 15 ms, the run at 20 ms (500 V is held there)"));
}

TEST(EqsHarmonicFrequency, IsThatOfTheElectrodes) {
  Simulation s = two_layers(sine(1000, 1000), 1e-12);
  s.analysis = Analysis::harmonic;
  const auto o = eqs::run(s, serial);
  // 1000 V at 1 kHz over the layers' capacitances in series
  const double c = 1e-6 / (scheduled_d1 / eps1 + d2 / eps2);
  EXPECT_NEAR(o.history[0].seen.current_imaginary[0], 2 * pi * 1000 * c * 1000,
              1e-6 * 2 * pi * 1000 * c * 1000);
  EXPECT_DOUBLE_EQ(o.period, 1e-3);
  s.electrodes[1] = driven("top", sine(3, 60));
  try {
    eqs::run(s, serial);
    ADD_FAILURE() << "two frequencies were accepted";
  } catch (const BadInput& e) {
    const std::string said = e.what();
    for (const char* word : {"'bottom'", "1000 Hz", "'top'", "60 Hz"})
      EXPECT_NE(said.find(word), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace umov::eqs::test
