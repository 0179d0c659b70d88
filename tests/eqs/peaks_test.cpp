// Largest values between steps against closed forms.
#include "eqs/observables/peaks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>

#include "eqs/observables/scalar_results.hpp"
#include "eqs/run/run.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

Outcome instants(const std::vector<double>& times, const WaveformSpec& w = sine(1)) {
  Outcome o;
  o.simulation.analysis = Analysis::transient;
  o.simulation.electrodes = {driven("high", w)};
  o.end = times.back();
  for (const double t : times) {
    Record r;
    r.time = t;
    o.history.push_back(r);
  }
  return o;
}
std::vector<double> at(const std::vector<double>& times, const std::function<double(double)>& f) {
  std::vector<double> v;
  for (const double t : times) v.push_back(f(t));
  return v;
}

/// The largest error of the peak of |sin| over where steps of h (in radians) happen to lie.
double worst(double h, bool own = false) {
  double most = 0;
  for (int shift = 0; shift < 16; ++shift) {
    std::vector<double> t{0};
    for (double x = h * (shift + 0.5) / 16; x < 3; x += h) t.push_back(x);
    const auto v = at(t, [](double x) { return std::sin(x); });
    const PeakInTime p = Peaks(instants(t, sine(1, 1e-9))).find(v);
    most = std::max(most, std::abs((own ? v[p.record] : p.value) - 1));
    EXPECT_NEAR(p.time, std::acos(-1.0) / 2, own ? h : h * h) << h;
  }
  return most;
}

TEST(EqsPeaks, ErrorsFallWithTheFifthPowerOfTheStep) {
  const double h = std::acos(-1.0) / 10;  // a twentieth of a period
  EXPECT_GT(worst(h, true), 1e-2);        // 1 - cos(h / 2)
  // |f^(5)| / 120 times the product of the distances, at most 1.42 h^5 around the middle, and f^(5) = cos(x)
  // is below h there
  EXPECT_LT(worst(h), 1.42 * std::pow(h, 5) / 120 * h);
  EXPECT_GT(std::log2(worst(h) / worst(h / 2)), 4.7);
}

TEST(EqsPeaks, OfTwoHalfWavesTheHigherCountsWhateverTheStepsMet) {
  // the first peak at a step's end, the second, 1 % higher, in the middle of a step
  const double pi = std::acos(-1.0), h = pi / 10;
  std::vector<double> t;
  for (int k = 0; k <= 10; ++k) t.push_back(h * k);
  for (int k = 0; k < 10; ++k) t.push_back(pi + h * (k + 0.5));
  const auto v = at(t, [&](double x) { return x < pi ? std::sin(x) : 1.01 * std::abs(std::sin(x)); });
  const PeakInTime p = Peaks(instants(t, sine(1, 1e-9))).find(v);
  EXPECT_GT(v[5], *std::max_element(v.begin() + 11, v.end()));
  EXPECT_NEAR(p.value, 1.01, 1.01 * 1.42 * std::pow(h, 5) / 120 * h);  // as below
  EXPECT_NEAR(p.time, 1.5 * pi, h * h);
}

/// Insulator, a conductor, insulator at 10 kV from t = 0 on.
Simulation conducting_block(double kappa) {
  Simulation s =
      column({layer("low", 1e-3, 2), layer("block", 5e-4, 2), layer("high", 2e-3, 2)},
             {material("low", constant(3), constant(1e-9)), material("block", constant(1), constant(kappa)),
              material("high", constant(5), constant(1e-10))},
             steady(1e4));
  s.time.end = 0.03;
  s.time.tolerance = 1e-5;
  s.outputs.pictures = false;
  return s;
}

TEST(EqsPeaks, WhatAMetalConductsAtTheInstantOfAJumpIsNoLargestCurrent) {
  const Outcome o = run(conducting_block(6e7), serial);
  ASSERT_TRUE(o.converged) << o.why_not;
  const auto value = [](const Outcome& out, const std::string& name) {
    for (const auto& r : scalar_results(out))
      if (r.name == name) return r.value;
    return std::nan("");
  };
  // kappa E of the field without free charge; the row remains
  const double field = 1e4 / (1e-3 / 3 + 5e-4 + 2e-3 / 5);
  EXPECT_NEAR(o.history[0].seen.power, 6e7 * field * field * 1e-6 * 5e-4, 1e-3 * o.history[0].seen.power);
  // what charges the block in the first step: the charge of its sides over that step. At most that of the
  // insulators in series, of third order in what L-stable stages leave.
  const double first = o.history[1].time, eps0 = 8.8541878128e-12;
  const double charge = 1e-6 * eps0 * (1e4 / (1e-3 / 3 + 2e-3 / 5) - field);
  EXPECT_LT(value(o, "bottom current"), 10 * charge / first);
  EXPECT_GT(value(o, "bottom current"), 1e-9 / 10 * 1e4 / 3e-3 * 1e-6);
  EXPECT_LT(value(o, "power"), 1);
  EXPECT_LT(value(o, "block power"), 1);
  EXPECT_EQ(o.passing, (std::vector<char>{0, 1, 0}));
  ASSERT_EQ(o.warnings.size(), 1u);
  EXPECT_NE(o.warnings[0].find("leave out t = 0, where the voltage jumps"), std::string::npos)
      << o.warnings[0];
  EXPECT_NE(o.warnings[0].find("material 'block' relaxes within"), std::string::npos) << o.warnings[0];
}

TEST(EqsPeaks, WhatDecaysOverStepsAfterAJumpIsALargestCurrent) {
  const Outcome o = run(conducting_block(1e-9), serial);  // eps / kappa of 9 ms and more
  ASSERT_TRUE(o.converged) << o.why_not;
  EXPECT_TRUE(o.passing.empty());
  EXPECT_TRUE(o.warnings.empty());
  Simulation s = conducting_block(6e7);
  s.electrodes[0].waveform = sine(1e4);  // no jump
  EXPECT_TRUE(run(s, serial).passing.empty());
}

TEST(EqsPeaks, WhatAMetalConductsAtTheInstantOfAChargeIsNoLargestCurrent) {
  Simulation s =
      column({layer("low", 1e-3, 2), layer("plate", 5e-4, 1), layer("gap", 1e-3, 2), layer("block", 5e-4, 2),
              layer("high", 2e-3, 2)},
             {material("low", constant(3), constant(1e-9)), material("gap", constant(2), constant(0)),
              material("block", constant(1), constant(6e7)), material("high", constant(5), constant(1e-10))},
             sine(1e4));
  s.time.end = 0.03;
  s.time.tolerance = 1e-5;
  s.outputs.pictures = false;
  s.electrodes.push_back(electrode("plate", ElectrodeSpec::Kind::floating));
  EXPECT_TRUE(run(s, serial).passing.empty()) << "no charge, no jump";
  s.electrodes.back().charge = 1e-10;
  const Outcome o = run(s, serial);
  ASSERT_TRUE(o.converged) << o.why_not;
  EXPECT_EQ(o.passing, (std::vector<char>{0, 0, 1, 0}));
  ASSERT_EQ(o.warnings.size(), 1u);
  EXPECT_NE(o.warnings[0].find("leave out t = 0, where the charge of 'plate' is there at once"),
            std::string::npos)
      << o.warnings[0];
}

TEST(EqsPeaks, RecordsLeftOutHaveNoPart) {
  const std::vector<double> t{0, 1, 2, 3, 4}, v{9, 1, 2, 1, 0};
  const Outcome o = instants(t, sine(1, 1e-3));
  EXPECT_EQ(Peaks(o).find(v).value, 9);
  const PeakInTime p = Peaks(o, 1).find(v);
  EXPECT_EQ(p.record, 2u);
  EXPECT_DOUBLE_EQ(p.value, 2);
}

TEST(EqsPeaks, AreTheValuesThemselvesWhereThatIsAllThatIsKnown) {
  const auto find = [](const std::vector<double>& t, const std::vector<double>& v,
                       const WaveformSpec& w = sine(1, 1e-3)) { return Peaks(instants(t, w)).find(v); };
  EXPECT_EQ(find({0, 1, 2}, {1, 2, 3}).value, 3);  // at the end
  EXPECT_EQ(find({0, 1, 2}, {3, 2, 1}).time, 0);
  EXPECT_EQ(find({0, 1, 8}, {1, 2, 1}).value, 2);               // steps of too different length
  EXPECT_DOUBLE_EQ(find({0, 1, 2}, {1, 2, 1}).value, 2);        // symmetric
  EXPECT_NEAR(find({0, 1, 2}, {0, 3, 2}).value, 3.125, 1e-12);  // 5 t - 2 t^2 at t = 5 / 4
  EXPECT_TRUE(std::isnan(find({0, 1, 2}, {0, std::nan(""), 2}).value));
  EXPECT_EQ(find({0}, {4}).value, 4);
  // a table that bends at its largest value
  WaveformSpec w;
  w.kind = WaveformSpec::Kind::table;
  w.time = {0, 1, 2}, w.values = {0, 3, 2};
  EXPECT_EQ(find({0, 1, 2}, {0, 3, 2}, w).value, 3);
}

/// What rises fast, switches and falls slowly: no polynomial knows where. At a corner in the middle of its
/// three points a parabola adds d^2 / (2 c), d the mean of the slopes and c what they differ by.
TEST(EqsPeaks, OfWhatSwitchesAreNoWorseThanTheValues) {
  const double up = 0.1, down = -0.02, adds = std::pow((up + down) / 2, 2) / (2 * (up - down));
  double own = 0, found = 0;
  for (int shift = 0; shift < 16; ++shift) {
    std::vector<double> t;
    for (double x = -5 + (shift + 0.5) / 16; x < 5; x += 1) t.push_back(x);
    const auto v = at(t, [&](double x) { return 1 + (x < 0 ? up : down) * x; });
    const PeakInTime p = Peaks(instants(t)).find(v);
    EXPECT_GE(p.value, v[p.record]);
    EXPECT_LT(p.value, 1 + adds) << shift;
    own += std::abs(v[p.record] - 1);
    found += std::abs(p.value - 1);
  }
  EXPECT_LE(found, own);
}

/// The shoulder of a varistor that has switched, at steps of 0.5 ms: its |E| was 0.98 MV/m at most by an ODE
/// with steps of 2 us, and a parabola through the three largest goes to 0.9835.
TEST(EqsPeaks, AShoulderIsNotOvershot) {
  const auto p = Peaks(instants({9.5, 10, 10.5, 11, 11.5, 12, 12.5}))
                     .find({0.52, 0.7, 0.850152, 0.976655, 0.969275, 0.963638, 0.95});
  EXPECT_EQ(p.value, 0.976655);
  EXPECT_EQ(p.time, 11);
}

/// Two layers at a sine from the uncharged state: the complex divider and what decays with the free charge.
TEST(EqsPeaks, OfTwoLayersAreThoseOfTheClosedForm) {
  const double kappa = 2e-8, d = 2e-3, volts = 1000, omega = 100 * std::acos(-1.0);
  Simulation s =
      column({layer("film", d, 2), layer("air", d, 2)},
             {material("film", constant(12), constant(kappa)), material("air", constant(1), constant(0))},
             sine(volts), 1e-3, 1);
  s.time.periods = 1;
  s.outputs.vtk = s.outputs.pictures = false;
  const std::complex<double> film(kappa, omega * 12 * eps_vacuum), air(0, omega * eps_vacuum);
  const std::complex<double> steady = volts / d * film / (film + air);
  const double decay = 13 * eps_vacuum / kappa;
  double wanted = 0;
  for (double t = 0; t < 0.02; t += 1e-7)
    wanted = std::max(wanted, std::abs(std::imag(steady * std::polar(1.0, omega * t)) -
                                       steady.imag() * std::exp(-t / decay)));
  double before = 0;
  for (const double step : {1e-3, 0.5e-3}) {
    s.time.step = step;
    const Outcome o = run(s, one_thread);
    ASSERT_TRUE(o.converged);
    double ends = 0;
    for (const Record& r : o.history) ends = std::max(ends, r.seen.peaks[1].field);
    const Extreme most = extremes(o)[1];
    for (const ScalarResult& r : scalar_results(o)) {
      if (r.name == "air peak") {
        EXPECT_EQ(r.value, most.field);
      }
      // a waveform is known at every instant, also where no step ends
      if (r.name == "bottom potential") {
        EXPECT_NEAR(r.value, volts, 1e-9 * volts);
      }
    }
    // what is left is the integrator's own error, of order 3
    const double error = std::abs(most.field / wanted - 1);
    if (step == 1e-3) {
      EXPECT_GT(std::abs(ends / wanted - 1), 3e-4) << "else there is nothing to find";
      EXPECT_LT(error, 0.05 * std::abs(ends / wanted - 1));
    } else {
      EXPECT_GT(before / error, 4);
    }
    before = error;
  }
}

}  // namespace
}  // namespace umov::eqs::test
