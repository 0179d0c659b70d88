// Stacks of a layer that switches and one that does not: the error of every accepted step, from the state
// that it began with, beside what its estimate said and beside the tolerance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "eqs/materials/curve_table.hpp"
#include "eqs/run/run.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

/// Thicknesses (m), permittivities, and the curve of the first layer; the second one is constant.
struct Layers {
  double thickness[2], permittivity[2];
  CurveSpec curve;
  double other;  ///< S/m
};

/// The charge q on the plane between the layers, of which dq / dt = -i is the equation of the stack.
class SwitchingStack {
 public:
  SwitchingStack(const Layers& layers, const WaveformSpec& drive) : l_(layers), drive_(drive) {
    check_curve(l_.curve, "curve", true);  // adds the parameters that a named curve goes by
    curve_.add(l_.curve);
  }

  double other_field(double field, double t) const {
    return (waveform(drive_, t) - l_.thickness[0] * field) / l_.thickness[1];
  }
  /// The field in the first layer at t1, from that at t0: implicit Euler's steps, extrapolated.
  double flow(double field, double t0, double t1, double accuracy, int depth = 0) const {
    constexpr int most = 7;
    double table[most][most];
    for (int row = 0; row < most; ++row) {
      const int pieces = row + 2;
      const double h = (t1 - t0) / pieces;
      double at = field;
      for (int k = 1; k <= pieces; ++k) at = euler(at, t0 + (k - 1) * h, t0 + k * h);
      table[row][0] = at;
      for (int k = 1; k <= row; ++k)
        table[row][k] = table[row][k - 1] + (table[row][k - 1] - table[row - 1][k - 1]) /
                                                (double(row + 2) / double(row + 2 - k) - 1);
      if (row > 3 && std::abs(table[row][row] - table[row][row - 1]) < accuracy) return table[row][row];
    }
    if (depth > 40) return NAN;
    const double middle = (t0 + t1) / 2;
    return flow(flow(field, t0, middle, accuracy, depth + 1), middle, t1, accuracy, depth + 1);
  }

 private:
  double mass() const { return l_.permittivity[0] + l_.permittivity[1] * l_.thickness[0] / l_.thickness[1]; }
  double charge(double field, double t) const {
    return eps_vacuum * (mass() * field - l_.permittivity[1] * waveform(drive_, t) / l_.thickness[1]);
  }
  /// q(E) + h i(E) = q before: what stands on the left rises with E.
  double euler(double before, double t0, double t1) const {
    const double target = charge(before, t0), h = t1 - t0;
    const auto left = [&](double e) {
      const double current = curve_.view()(0, std::abs(e)).value * e - l_.other * other_field(e, t1);
      return charge(e, t1) + h * current - target;
    };
    double low = -1, high = 1;
    while (left(low) > 0) low *= 4;
    while (left(high) < 0) high *= 4;
    for (int k = 0; k < 200 && high - low > 1e-13 * std::max(-low, high); ++k) {
      const double middle = (low + high) / 2;
      (left(middle) > 0 ? high : low) = middle;
    }
    return (low + high) / 2;
  }

  Layers l_;
  WaveformSpec drive_;
  CurveTable curve_;
};

struct Case {
  std::string name;
  Layers layers;
  WaveformSpec drive;
  double end;
};

WaveformSpec ramp(double amplitude, double rise) {
  WaveformSpec w = steady(amplitude);
  w.kind = WaveformSpec::Kind::step;
  w.rise = rise;
  return w;
}
CurveSpec microvaristor_of(const std::vector<double>& parameters) {
  CurveSpec c = microvaristor();
  c.parameters = parameters;
  return c;
}

/// Voltages that are there at once, that rise within a millisecond, and sines.
std::vector<Case> family() {
  const Layers grading{{0.1, 0.1}, {12, 4}, microvaristor_of({1e-10, 1864, 0.7e6, 2.4e6}), 1e-14},
      power{{0.1, 0.1}, {12, 4}, formula("1e-12 * (1 + (E / 1e6)^30)"), 1e-14},
      thin{{2e-3, 2e-3}, {12, 4}, microvaristor_of({1e-10, 1864, 0.7e6, 2.4e6}), 1e-14},
      film{{1e-3, 4e-3}, {6, 3}, formula("1e-11 * (1 + (E / 5e5)^16)"), 1e-12},
      steep{{0.02, 0.05}, {5, 8}, formula("1e-12 * exp(min(E / 8e4, 40))"), 1e-11};
  std::vector<Case> all;
  const auto add = [&](const char* name, const Layers& l, double field) {
    // the field that the first layer would have without conduction
    const double voltage = field * (l.thickness[0] + l.thickness[1] * l.permittivity[0] / l.permittivity[1]);
    all.push_back({std::string(name) + ", at once", l, steady(voltage), 1});
    all.push_back({std::string(name) + ", rising", l, ramp(voltage, 1e-3), 0.01});
    all.push_back({std::string(name) + ", sine", l, sine(voltage), 0.04});
  };
  add("grading", grading, 1.6e6);
  add("power", power, 2e6);
  add("thin", thin, 2.5e6);
  add("film", film, 1e6);
  add("steep", steep, 1.2e6);
  return all;
}

Simulation of(const Case& c, Scheme scheme, double tolerance) {
  const Layers& l = c.layers;
  Simulation s = column({layer("first", l.thickness[0], 1), layer("second", l.thickness[1], 1)},
                        {material("first", constant(l.permittivity[0]), l.curve),
                         material("second", constant(l.permittivity[1]), constant(l.other))},
                        c.drive, l.thickness[0]);
  s.time.end = c.end;
  s.time.scheme = scheme;
  s.time.tolerance = tolerance;
  s.outputs.vtk = s.outputs.pictures = false;
  const double across = 0.4 * l.thickness[0];
  s.outputs.points = {{"first", {across, across, across}}};
  return s;
}

/// Of the accepted steps of a run: the largest error in tolerances, and beside the estimate (a tenth
/// of the tolerance at least).
struct Worst {
  double error = 0, ratio = 0, time = 0;
};
Worst worst_of(const Case& c, Scheme scheme, double tolerance) {
  const Simulation sim = of(c, scheme, tolerance);
  const Outcome o = run(sim, serial);
  EXPECT_TRUE(o.converged) << c.name << ": " << o.why_not;
  const SwitchingStack stack(c.layers, c.drive);
  Worst worst;
  double first = 0, second = 0, energy = 0;
  const double *d = c.layers.thickness, *eps = c.layers.permittivity;
  for (std::size_t k = 0; k < o.history.size(); ++k) {
    const double t = o.history[k].time, field = o.history[k].point_field[0][2],
                 other = stack.other_field(field, t);
    first = std::max(first, std::abs(field)), second = std::max(second, std::abs(other));
    energy = std::max(energy, eps[0] * d[0] * field * field + eps[1] * d[1] * other * other);
    if (k == 0) continue;
    const double before = o.history[k - 1].point_field[0][2], most = std::max(first, second);
    const double exact =
        stack.flow(before, o.history[k - 1].time, t, 1e-3 * tolerance * std::max(first, 0.03 * most));
    // as docs/theory/eqs.md measures it
    const double off = std::abs(field - exact), off_other = off * d[0] / d[1];
    const double error =
        std::max({off / std::max(first, 0.03 * most), off_other / std::max(second, 0.03 * most),
                  std::sqrt((eps[0] * d[0] * off * off + eps[1] * d[1] * off_other * off_other) / energy)});
    if (!(error <= worst.error * tolerance)) worst.error = error / tolerance, worst.time = t;
    worst.ratio = std::max(worst.ratio, error / std::max(o.history[k].error, 0.1 * tolerance));
  }
  return worst;
}

// A current that switches off a share theta into a step leaves an error of up to 0.36 of it behind the third
// of sdirk3's instants, of which the second estimate weighs 0.088: 4.1 times. By the companion alone 7.4
// tolerances.
TEST(EqsSwitchingStacks, StepsOfSdirk3ErrByWhatTheirEstimatesSee) {
  for (const double tolerance : {1e-2, 1e-3, 1e-4})
    for (const Case& c : family()) {
      const Worst w = worst_of(c, Scheme::sdirk3, tolerance);
      EXPECT_LT(w.error, 4.1) << c.name << ", tolerance " << tolerance << ", t = " << w.time;
      EXPECT_LT(w.ratio, 4.1) << c.name << ", tolerance " << tolerance;
    }
}
// Measured 1.5, 1.6 and 1.2 tolerances. The first step of esdirk3, which sdirk3 takes, was off by 7.4.
TEST(EqsSwitchingStacks, StepsOfTheOtherSchemesErrByLessThanThreeTolerances) {
  for (const Scheme scheme : {Scheme::esdirk3, Scheme::implicit_euler, Scheme::rkc})
    for (const double tolerance : {1e-2, 1e-3, 1e-4})
      for (const Case& c : family()) {
        if (scheme == Scheme::implicit_euler && tolerance < 1e-3) continue;  // thousands of steps
        const Worst w = worst_of(c, scheme, tolerance);
        EXPECT_LT(w.error, 3) << c.name << ", " << int(scheme) << ", tolerance " << tolerance
                              << ", t = " << w.time;
      }
}

}  // namespace
}  // namespace umov::eqs::test
