// The periodic steady state without marching to it: against closed forms, long marches, and interrupted.
#include <gtest/gtest.h>

#include <complex>

#include "core/error.hpp"
#include "eqs/model/steady_drive.hpp"
#include "eqs/run/run.hpp"
#include "eqs/solve/residual_weights.hpp"
#include "support/eqs_cases.hpp"
#include "support/temp_folder.hpp"

namespace umov::eqs::test {
namespace {

using Z = std::complex<double>;

constexpr double d1 = 1e-3, steady_d2 = 2e-3, steady_eps1 = 3, steady_eps2 = 5, steady_frequency = 50,
                 steady_volts = 1000, offset = 700;

/// Layers of 1 and 2 mm that relax within so many periods, 1 kV at 50 Hz below; `above`: of the upper plate,
/// V.
Simulation layers(double relaxation_periods, double above) {
  // tau = (C1 + C2) / (G1 + G2), with conductivities of 2 to 1
  const double g = (steady_eps1 / d1 + steady_eps2 / steady_d2) * eps_vacuum /
                   (relaxation_periods / steady_frequency) / (2 / d1 + 1 / steady_d2);
  Simulation s = column({layer("a", d1, 2), layer("b", steady_d2, 2)},
                        {material("a", constant(steady_eps1), constant(2 * g)),
                         material("b", constant(steady_eps2), constant(g))},
                        sine(steady_volts, steady_frequency));
  if (above != 0) s.electrodes[1] = driven("top", steady(above));
  s.outputs.points = {{"between", {0.5e-3, 0.5e-3, d1}}};
  s.outputs.vtk = s.outputs.pictures = false;
  s.time.steady_state = true;
  s.time.periods = 1;
  return s;
}

/// Of Maxwell and Wagner's capacitor: complex admittances for the sine, conductances for the offset.
double between(const Simulation& s, double above, double t) {
  const double omega = 2 * pi * steady_frequency, k1 = s.materials[0].conductivity.value,
               k2 = s.materials[1].conductivity.value;
  const Z y1 = (k1 + Z(0, omega * steady_eps1 * eps_vacuum)) / d1,
          y2 = (k2 + Z(0, omega * steady_eps2 * eps_vacuum)) / steady_d2;
  const double g1 = k1 / d1, g2 = k2 / steady_d2;
  return (steady_volts * y1 / (y1 + y2) * std::polar(1.0, omega * t)).imag() + above * g2 / (g1 + g2);
}

/// Largest error between the layers over the period, of the sine's amplitude.
double error_of(const Outcome& o, const Simulation& s, double above) {
  double most = 0;
  for (const Record& r : o.history)
    most = std::max(most, std::abs(r.point_potential[0] - between(s, above, r.time)) / steady_volts);
  return most;
}

TEST(EqsSteadyState, WeightsMakeTheCombinationOfResidualsSmallest) {
  // residuals (4, 0), (0, 3): the point of the line through them that is nearest to 0 has weights 9/25, 16/25
  linalg::SmallMatrix g(2, 2);
  g(0, 0) = 16, g(1, 1) = 9;
  const auto w = minimal_residual_weights(g);
  EXPECT_NEAR(w[0], 9.0 / 25, 1e-14);
  EXPECT_NEAR(w[1], 16.0 / 25, 1e-14);
  // a residual that is there twice is no difference
  linalg::SmallMatrix twice(3, 3);
  twice(0, 0) = 16, twice(1, 1) = twice(2, 2) = twice(1, 2) = twice(2, 1) = 9;
  const auto v = minimal_residual_weights(twice);
  EXPECT_NEAR(v[0] + v[1] + v[2], 1, 1e-14);
  EXPECT_NEAR(v[0], 9.0 / 25, 1e-12);
}

class EqsSteadyLayers : public testing::TestWithParam<double> {};

TEST_P(EqsSteadyLayers, SineIsFoundByThreeHalvesAtMost) {
  Simulation s = layers(GetParam(), 0);
  s.time.step = 0.02 / 200;
  s.time.tolerance = 1e-7;
  const Outcome o = run(s, serial);
  ASSERT_TRUE(o.converged) << o.why_not;
  EXPECT_TRUE(o.steady.halves);
  // one mode: two shots tell its factor, whatever it is; the third one is the first half of the result
  EXPECT_LE(o.steady.periods, 2.5);
  EXPECT_EQ(o.history.size(), 201u);
  EXPECT_EQ(o.history.front().time, 0);
  EXPECT_NEAR(o.history.back().time, 0.02, 1e-12);
  // steps of 2 pi / 200, third order: (omega dt)^3 = 3e-5, of which SDIRK3 leaves 3 % at most
  EXPECT_LT(error_of(o, s, 0), 1e-6);
}

TEST_P(EqsSteadyLayers, OffsetIsFoundByFourPeriodsHoweverSlowlyItLeaks) {
  Simulation s = layers(GetParam(), offset);
  s.time.step = 0.02 / 200;
  s.time.tolerance = 1e-6;
  const Outcome o = run(s, serial);
  ASSERT_TRUE(o.converged) << o.why_not;
  EXPECT_FALSE(o.steady.halves);
  // the first is left out, two tell the one factor, the fourth is the result
  EXPECT_LE(o.steady.periods, 4);
  EXPECT_LT(error_of(o, s, offset), 2e-6);
}

TEST_P(EqsSteadyLayers, ControlledStepsKeepTheirTolerance) {
  for (const double above : {0.0, offset}) {
    Simulation s = layers(GetParam(), above);
    s.time.tolerance = 1e-3;
    const Outcome o = run(s, serial);
    ASSERT_TRUE(o.converged) << o.why_not;
    EXPECT_LE(o.steady.periods, above == 0 ? 3 : 5);
    EXPECT_LE(o.steady.error, 1e-3);
    // the sum of a period's steps in tolerances (docs/guide/eqs.md: nine of ten below 2), and of the search 1
    EXPECT_LT(error_of(o, s, above), 3e-3) << above;
  }
}
INSTANTIATE_TEST_SUITE_P(RelaxationInPeriods, EqsSteadyLayers, testing::Values(0.3, 30, 3000));

/// A film whose conductivity rises with the field on a weakly conducting dielectric.
Simulation layered_film(double above) {
  Simulation s = layers(1, above);
  s.materials = {material("a", constant(12), formula("1e-9 * (1 + (E / 1e5)^4)")),
                 material("b", constant(4), constant(2e-9))};
  s.electrodes[0].waveform.amplitude = 600;
  s.time.tolerance = 1e-4;
  return s;
}

TEST(EqsSteadyState, NonlinearFilmIsWhatManyPeriodsOfMarchingReach) {
  for (const double above : {0.0, 300.0}) {
    Simulation march = layered_film(above);
    march.time.steady_state = false;
    march.outputs.interval = 5e-3;
    march.time.periods = 40;  // without the rise of the conductivity a charge leaks within 3.1
    const Outcome far = run(march, serial);
    const Outcome o = run(layered_film(above), serial);
    ASSERT_TRUE(o.converged) << o.why_not;
    EXPECT_EQ(o.steady.halves, above == 0);
    EXPECT_LE(o.steady.periods, above == 0 ? 4 : 8);
    for (const double at : {0.0, 0.25, 0.5, 0.75}) {
      const auto value = [&](const Outcome& of, double t) {
        for (const Record& r : of.history)
          if (std::abs(r.time - t) < 1e-9) return r.point_potential[0];
        ADD_FAILURE() << "no step at " << t;
        return 0.0;
      };
      // of 600 V: a tolerance of the search, two of the steps of either
      EXPECT_NEAR(value(o, 0.02 * at), value(far, 0.02 * (39 + at)), 5e-4 * 600) << above << " V, " << at;
    }
  }
}

TEST(EqsSteadyState, HalvesAreTakenOfVoltagesThatChangeSign) {
  const double period = 0.02;
  Simulation s = layers(1, 0);
  EXPECT_TRUE(changes_sign_after_half(make_problem(s), period));
  s.electrodes[1] = driven("top", sine(10, 150, 20));
  EXPECT_TRUE(changes_sign_after_half(make_problem(s), period));
  s.electrodes[1].waveform.frequency = 100;
  EXPECT_FALSE(changes_sign_after_half(make_problem(s), period));
  WaveformSpec table;
  table.kind = WaveformSpec::Kind::table;
  table.amplitude = 1;
  table.time = {0, 0.003, 0.01, 0.013, 0.02};
  table.values = {1, 4, -1, -4, 1};
  s.electrodes[1].waveform = table;
  EXPECT_TRUE(changes_sign_after_half(make_problem(s), period));
  s.electrodes[1].waveform.values[3] = -3;
  EXPECT_FALSE(changes_sign_after_half(make_problem(s), period));
}

TEST(EqsSteadyState, VoltagesThatDoNotRepeatThemselvesAreRefused) {
  Simulation s = layers(1, 0);
  s.electrodes[0].waveform.frequency = 60;
  EXPECT_THROW(make_problem(s), BadInput);
  s.electrodes[0].waveform.frequency = 100;
  EXPECT_NO_THROW(make_problem(s));
  s.electrodes[0].waveform.kind = WaveformSpec::Kind::step;
  s.electrodes[0].waveform.rise = 1e-3;
  EXPECT_THROW(make_problem(s), BadInput);
}

TEST(EqsSteadyState, TablesBeyondThePeriodHaveToBeThePeriodAgain) {
  Simulation s = layers(1, 0);
  WaveformSpec table;
  table.kind = WaveformSpec::Kind::table;
  table.time = {0, 0.005, 0.015, 0.02, 0.025, 0.035, 0.04};
  table.values = {0, 1, -1, 0, 1, -1, 0};
  s.electrodes[0].waveform = table;
  EXPECT_NO_THROW(make_problem(s));
  s.electrodes[0].waveform.values[4] = 2;
  EXPECT_THROW(make_problem(s), BadInput);
}

TEST(EqsSteadyState, ChargeOfAnInsulatedElectrodeStays) {
  Simulation s = layers(5, 0);
  s.mesh.geometry->layers = {layer("a", d1, 2), layer("plate", 1e-4, 1), layer("b", steady_d2, 2)};
  s.materials[0].conductivity = s.materials[1].conductivity = constant(0);
  s.electrodes.push_back(electrode("plate", ElectrodeSpec::Kind::floating));
  s.electrodes.back().charge = 1e-12;
  const Outcome o = run(s, serial);
  ASSERT_TRUE(o.converged) << o.why_not;
  EXPECT_FALSE(o.steady.halves);
  for (const Record& r : o.history) EXPECT_NEAR(r.seen.charge[2], 1e-12, 1e-9 * 1e-12);
}

TEST(EqsSteadyState, TooFewPeriodsAreSaid) {
  Simulation s = layered_film(300);
  s.time.most_periods = 3;
  const Outcome o = run(s, serial);
  EXPECT_FALSE(o.converged);
  EXPECT_NE(o.why_not.find("not found within 3 periods"), std::string::npos) << o.why_not;
  EXPECT_NEAR(o.history.back().time, 0.02, 1e-12);
}

TEST(EqsSteadyState, ResumedSearchHasTheSameBits) {
  for (const double above : {0.0, 300.0}) {
    const Outcome whole = run(layered_film(above), serial);
    for (const double part : {0.1, 0.4, 0.7, 0.98}) {
      const umov::test::TempFolder folder;
      const Simulation s = layered_film(above);
      run::Machine machine = umov::test::in(serial, folder.path.string());
      RunObserver o;
      o.time = [&](const TimeReport& r) { return double(r.steps) < part * double(whole.steps); };
      EXPECT_THROW(run(s, machine, o), run::Interrupted);
      machine.checkpoint.resume = true;
      const Outcome resumed = run(s, machine);
      ASSERT_EQ(resumed.history.size(), whole.history.size()) << above << ' ' << part;
      EXPECT_EQ(resumed.steady.periods, whole.steady.periods);
      EXPECT_EQ(resumed.steps, whole.steps);
      for (std::size_t k = 0; k < whole.history.size(); ++k)
        ASSERT_EQ(resumed.history[k].point_potential, whole.history[k].point_potential) << part << ' ' << k;
    }
  }
}

}  // namespace
}  // namespace umov::eqs::test
