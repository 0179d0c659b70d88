// Static solutions with curves on which Newton's method fails from the linear start.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "eqs/materials/curve_table.hpp"
#include "eqs/run/run.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

CurveSpec table_of_steep_curves(const std::vector<double>& field, const std::vector<double>& values) {
  CurveSpec c;
  c.kind = CurveSpec::Kind::table;
  c.field = field;
  c.values = values;
  return c;
}

/// Three layers; the first conducts 1000 times better at 1e6 V/m than without a field.
Simulation three_layers(double voltage) {
  Simulation s =
      column({layer("a", 1e-3, 2), layer("b", 2e-3, 2), layer("c", 1e-3, 2)},
             {material("a", constant(2), table_of_steep_curves({0, 1e5, 1e6}, {1e-11, 1e-10, 1e-8})),
              material("b", constant(3), constant(1e-9)), material("c", constant(2), constant(1e-9))},
             steady(voltage), 1e-2);
  s.analysis = Analysis::conduction;
  s.outputs.pictures = false;
  return s;
}

TEST(EqsSteepCurves, ConductionConvergesFromTheLinearStartAtAnyVoltage) {
  for (const double voltage : {20.0, 2e3, 20e3, 200e3}) {
    const Simulation s = three_layers(voltage);
    const Outcome o = run(s, serial);
    ASSERT_TRUE(o.converged) << voltage << " " << o.why_not;
    const double ea = o.history[0].seen.peaks[index_of(make_problem(s), "a")].field,
                 eb = o.history[0].seen.peaks[index_of(make_problem(s), "b")].field;
    // one current through all layers: its own density, and the voltages add up
    CurveTable curve;
    curve.add(s.materials[0].conductivity);
    const double ja = curve.view()(0, ea).value * ea, jb = 1e-9 * eb;
    EXPECT_NEAR(ja / jb, 1, 1e-6)
        << voltage;  // newton.tolerance, 1e-8, of fluxes; steepness makes more of it
    EXPECT_NEAR(1e-3 * ea + 3e-3 * eb, voltage, 1e-9 * voltage);
    EXPECT_LT(o.newton, 300) << voltage;  // doublings of the voltage, a few iterations each
  }
}

TEST(EqsSteepCurves, WhatFailsNamesTheKeyAndWarnsOfNoTable) {
  Simulation s = three_layers(20e3);
  s.newton.max_iterations = 1;
  const Outcome o = run(s, serial);
  EXPECT_FALSE(o.converged);
  EXPECT_NE(o.why_not.find("raise newton.max_iterations"), std::string::npos) << o.why_not;
  EXPECT_NE(o.why_not.find("of the voltages, raised step by step"), std::string::npos) << o.why_not;
  for (const auto& w : o.warnings) EXPECT_EQ(w.find("beyond its table"), std::string::npos) << w;
}

/// A microvaristor and an insulator, 2 mm each, at 20 kV from t = 0 on: how the field in the first falls,
/// (eps1 + eps2) dE / dt = kappa2 (U / d - E) - kappa1(E) E, time added up over small pieces of the field.
struct Fall {
  std::vector<double> time{0}, field;
  explicit Fall(const CurveTable& curve) {
    const double eps = 16 * 8.8541878128e-12, over = 20e3 / 2e-3, start = over * 4 / 16;
    constexpr int pieces = 20000;
    field.push_back(start);
    for (int k = 0; k < pieces; ++k) {
      const double middle = (1 - (k + 0.5) / pieces) * start;
      const double rate = (curve.view()(0, middle).value * middle - 1e-14 * (over - middle)) / eps;
      if (!(rate > 0)) break;
      time.push_back(time.back() + start / pieces / rate);
      field.push_back((1 - (k + 1.0) / pieces) * start);
    }
  }
  double at(double t) const {
    const auto after = std::upper_bound(time.begin(), time.end(), t);
    if (after == time.end()) return field.back();
    const std::size_t k = std::size_t(after - time.begin());
    return field[k - 1] + (t - time[k - 1]) / (time[k] - time[k - 1]) * (field[k] - field[k - 1]);
  }
};

TEST(EqsSteepCurves, AVoltageThatIsThereAtOnceIsFollowedByAllImplicitSchemes) {
  for (const Scheme scheme : {Scheme::sdirk3, Scheme::esdirk3, Scheme::implicit_euler}) {
    Simulation s = column(
        {layer("film", 2e-3, 2), layer("air", 2e-3, 2)},
        {material("film", constant(12), microvaristor()), material("air", constant(4), constant(1e-14))},
        steady(20e3), 1e-3);
    s.time.end = 1;
    s.time.scheme = scheme;
    s.time.tolerance = 1e-3;
    s.outputs.pictures = false;
    const Outcome o = run(s, serial);
    ASSERT_TRUE(o.converged) << o.why_not;
    const Problem p = make_problem(s);
    const auto film = index_of(p, "film");
    CurveTable curve;
    curve.add(p.materials[std::size_t(film)].conductivity);
    const Fall fall(curve);
    for (const Record& r : o.history) {
      if (r.time == 0) continue;
      const double expected = fall.at(r.time);
      // a step errs by some tolerances of the largest field (implicit_euler: 100 in the first one, over which
      // the field falls by decades; sdirk3 and esdirk3 20 without the second estimate)
      const double most = scheme == Scheme::implicit_euler ? 100e-3 : 5e-3;
      EXPECT_NEAR(r.seen.peaks[film].field, expected, most * 2.5e6) << int(scheme) << " t = " << r.time;
    }
  }
}

}  // namespace
}  // namespace umov::eqs::test
