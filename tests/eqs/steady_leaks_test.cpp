// Periodic steady states beside a direct voltage where charges leak slowly: closed forms, however slowly.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <numeric>
#include <random>

#include "eqs/run/run.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

using Z = std::complex<double>;
using Numbers = std::vector<double>;

constexpr double frequency = 50, period = 1 / frequency, volts = 1000;
constexpr int steps = 200;

Simulation steady_run(Simulation s, double above) {
  s.electrodes.back() = driven(s.electrodes.back().name, steady(above));
  s.outputs.vtk = s.outputs.pictures = false;
  s.time.steady_state = true;
  s.time.periods = 1;
  s.time.step = period / steps;
  s.time.tolerance = 1e-5;
  return s;
}

/// Layers of one element each between 1 kV, 50 Hz below and a direct voltage above, with a point between each
/// two.
struct Stack {
  Numbers thickness, eps;
  std::vector<CurveSpec> kappa;
  double above = 0;

  std::size_t size() const { return thickness.size(); }
  Simulation simulation() const {
    std::vector<mesh::Geometry::Layer> layers;
    std::vector<MaterialSpec> materials;
    for (std::size_t k = 0; k < size(); ++k) {
      const std::string name = "m" + std::to_string(k);
      layers.push_back(layer(name, thickness[k], 1));
      materials.push_back(material(name, constant(eps[k]), kappa[k]));
    }
    Simulation s = steady_run(column(layers, materials, sine(volts, frequency)), above);
    double z = 0;
    for (std::size_t k = 0; k + 1 < size(); ++k)
      s.outputs.points.push_back({"p" + std::to_string(k), {0.5e-3, 0.5e-3, z += thickness[k]}});
    return s;
  }
  /// Field of each layer from potentials between them, V/m.
  Numbers fields(double below, const Numbers& between) const {
    Numbers e;
    for (std::size_t k = 0; k < size(); ++k)
      e.push_back(((k == 0 ? below : between[k - 1]) - (k + 1 < size() ? between[k] : above)) / thickness[k]);
    return e;
  }
  /// Those of a voltage over layers in series with these admittances, F/m or S/m.
  template <class T>
  std::vector<T> divided(double voltage, const std::vector<T>& y) const {
    T all = 0;
    std::vector<T> e;
    for (std::size_t k = 0; k < size(); ++k) all += thickness[k] / y[k];
    for (std::size_t k = 0; k < size(); ++k) e.push_back(voltage / all / y[k]);
    return e;
  }
};

double largest_error(const Outcome& o, const Stack& s, const std::vector<Z>& alternating,
                     const Numbers& direct) {
  Numbers error(s.size(), 0.0), largest(s.size(), 0.0);
  for (const Record& r : o.history) {
    const Z turn = std::polar(1.0, 2 * pi * frequency * r.time);
    const Numbers e = s.fields(volts * turn.imag(), r.point_potential);
    for (std::size_t k = 0; k < s.size(); ++k) {
      const double wanted = (alternating[k] * turn).imag() + direct[k];
      error[k] = std::max(error[k], std::abs(e[k] - wanted));
      largest[k] = std::max(largest[k], std::abs(wanted));
    }
  }
  // as relative_error has it: a layer by its own field, or by 3 % of the largest
  const double all = *std::ranges::max_element(largest);
  double most = 0;
  for (std::size_t k = 0; k < s.size(); ++k)
    most = std::max(most, error[k] / std::max(largest[k], 0.03 * all));
  return most;
}

class EqsSteadyStacks : public testing::TestWithParam<int> {};

/// 2 to 5 layers that relax within 0.1 to 1e7 periods, one by one.
TEST_P(EqsSteadyStacks, DirectVoltageIsDividedByConductivitiesHoweverSlowlyChargesLeak) {
  std::mt19937 random{static_cast<unsigned>(GetParam())};
  const auto between = [&](double a, double b) { return a + (b - a) * random() / 4294967296.0; };
  for (int n = 0; n < 20; ++n) {
    Stack s;
    std::vector<Z> y;
    Numbers kappa;
    for (unsigned layers = 2 + random() % 4; layers > 0; --layers) {
      s.thickness.push_back(1e-3 * std::pow(10, between(-0.3, 0.7)));
      s.eps.push_back(between(1, 12));
      kappa.push_back(s.eps.back() * eps_vacuum / (period * std::pow(10, between(-1, 7))));
      s.kappa.push_back(constant(kappa.back()));
      y.push_back({kappa.back(), 2 * pi * frequency * s.eps.back() * eps_vacuum});
    }
    s.above = between(-1000, 1000);
    const Outcome o = run(s.simulation(), serial);
    ASSERT_TRUE(o.converged) << o.why_not;
    EXPECT_TRUE(o.warnings.empty()) << o.warnings[0];
    // 9 % of an error are left by each period: 1e-5 takes five, another one its own steps, one is the result
    EXPECT_LE(o.steady.periods, 7);
    // the search to 1e-5, and steps of 2 pi / 200 of third order ((omega dt)^3 = 3e-5, of which SDIRK3 leaves
    // 3 %), which a layer of 3 % of the largest field sees 33 times as large
    EXPECT_LT(largest_error(o, s, s.divided(volts, y), s.divided(-s.above, kappa)), 1e-5 + 33e-6)
        << "stack " << n;
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, EqsSteadyStacks, testing::Values(1, 2, 3));

/// Where nothing leaks within a period the sine is divided by permittivities, and each layer has a direct
/// field over that with which the mean current through all of them is one.
class SlowStack {
 public:
  SlowStack(const Stack& s, const Numbers& kappa, const Numbers& steep, double exponent)
      : s_(s), kappa_(kappa), steep_(steep), exponent_(exponent) {
    sine_ = s.divided(volts, s.eps);
  }
  /// By halving: the current for which the direct fields add up to the direct voltage.
  Numbers direct() const {
    const double sum = -s_.above;
    double low = -1, high = 1;
    for (int k = 0; k < 100; ++k) {
      const double middle = 0.5 * (low + high);
      const Numbers e = of_current(middle);
      (std::inner_product(e.begin(), e.end(), s_.thickness.begin(), 0.0) < sum ? low : high) = middle;
    }
    return of_current(0.5 * (low + high));
  }
  const Numbers& sine_fields() const { return sine_; }

 private:
  double mean_current(std::size_t k, double direct) const {
    constexpr int points = 256;  // of a polynomial in a sine: exact
    double sum = 0;
    for (int j = 0; j < points; ++j) {
      const double e = sine_[k] * std::sin(2 * pi * j / points) + direct;
      sum += kappa_[k] * (1 + std::pow(std::abs(e) / steep_[k], exponent_)) * e / points;
    }
    return sum;
  }
  Numbers of_current(double i) const {
    Numbers out;
    for (std::size_t k = 0; k < s_.size(); ++k) {
      double low = -1e8, high = 1e8;
      for (int j = 0; j < 100; ++j) {
        const double middle = 0.5 * (low + high);
        (mean_current(k, middle) < i ? low : high) = middle;
      }
      out.push_back(0.5 * (low + high));
    }
    return out;
  }
  const Stack& s_;
  Numbers kappa_, steep_, sine_;
  double exponent_;
};

TEST(EqsSteadyLeaks, NonlinearLayersHaveOneMeanCurrent) {
  for (const double exponent : {4.0, 12.0}) {
    Stack s{{1e-3, 2e-3, 0.5e-3}, {4, 2.5, 8}, {}, 700};
    // at the fields without charge the layers relax within 1e5 to 1e7 periods
    const Numbers kappa{2e-16, 2e-17, 5e-16}, steep{4e5, 3e5, 2e5};
    for (std::size_t k = 0; k < 3; ++k)
      s.kappa.push_back(formula(fmt::format("{:g} * (1 + (E / {:g})^{:g})", kappa[k], steep[k], exponent)));
    const SlowStack exact(s, kappa, steep, exponent);
    const Outcome o = run(s.simulation(), serial);
    ASSERT_TRUE(o.converged) << o.why_not;
    std::vector<Z> sine;
    for (const double e : exact.sine_fields()) sine.emplace_back(e);
    // the search to 1e-5, steps as above; what leaks within a period is 1e-5 of the charge at most
    EXPECT_LT(largest_error(o, s, sine, exact.direct()), 5e-5) << exponent;
    EXPECT_LE(o.steady.periods, 15);
  }
}

/// The mean over a period of all steps but the last, which is the first again.
double mean_between(const Outcome& o) {
  double sum = 0;
  for (std::size_t k = 1; k < o.history.size(); ++k) sum += o.history[k].point_potential[0];
  return sum / double(o.history.size() - 1);
}

TEST(EqsSteadyLeaks, ConcentricShellsHaveTheMeanOfSteadyConduction) {
  for (const std::string kind : {"coaxial", "spherical"}) {
    Simulation s =
        sector(kind, 1e-3, 20, {layer("a", 1e-3, 3), layer("b", 2e-3, 3)},
               {material("a", constant(3), constant(1e-17)), material("b", constant(5), constant(4e-17))},
               sine(volts, frequency));
    const double half = kind == "coaxial" ? 10 * pi / 180 : 0;
    s.outputs.points = {{"near", {1.9e-3 * std::cos(half), 1.9e-3 * std::sin(half), 0.5e-3}}};
    if (kind == "spherical") s.outputs.points[0].at = {0, 0, 1.9e-3};
    s.outputs.vtk = s.outputs.pictures = false;
    Simulation conduction = s;
    conduction.analysis = Analysis::conduction;
    conduction.electrodes = {electrode("inner"), driven("outer", steady(700))};
    s = steady_run(s, 700);
    const Outcome o = run(s, serial), direct = run(conduction, serial);
    ASSERT_TRUE(o.converged) << kind << o.why_not;
    // on one mesh: what is left is the search, to 1e-5 of fields; 1e-9 of the charges leaks within a period
    EXPECT_NEAR(mean_between(o), direct.history[0].point_potential[0], 2e-5 * 700) << kind;
  }
}

/// Layers 0 and 2 insulate, 1 conducts between them, 3 and 4 leak slowly to the upper plate: no direct
/// current flows, the island keeps no charge, and its neighbours have one displacement.
TEST(EqsSteadyLeaks, IslandsKeepTheirChargeAndTheRestHasNoDirectField) {
  Stack s{{1e-3, 0.5e-3, 2e-3, 1e-3, 1e-3},
          {2, 4, 3, 5, 2.5},
          {constant(0), constant(1e-7), constant(0), constant(1e-15), constant(3e-16)},
          700};
  const Outcome o = run(s.simulation(), serial);
  ASSERT_TRUE(o.converged) << o.why_not;
  const double d = -s.above / (1e-3 / 2 + 2e-3 / 3);
  std::vector<Z> y;
  for (std::size_t k = 0; k < s.size(); ++k)
    y.push_back({s.kappa[k].value, 2 * pi * frequency * s.eps[k] * eps_vacuum});
  EXPECT_LT(largest_error(o, s, s.divided(volts, y), {d / 2, 0, d / 3, 0, 0}), 1e-5 + 33e-6);
}

TEST(EqsSteadyLeaks, OnlyLeaksBeyondABillionPeriodsAreWarnedOf) {
  const auto warned = [](double kappa, double above) {
    const Stack s{{1e-3, 1e-3}, {2.3, 3}, {constant(kappa), constant(1e-9)}, above};
    const Outcome o = run(s.simulation(), serial);
    return std::ranges::any_of(o.warnings, [](const std::string& w) {
      return w.find("relaxes within more than 1e+09 periods") != w.npos;
    });
  };
  EXPECT_FALSE(warned(1e-17, 700));
  EXPECT_TRUE(warned(1e-19, 700));
  EXPECT_FALSE(warned(1e-19, 0));  // nothing drives it
  EXPECT_FALSE(warned(0, 700));    // nothing leaks
}

}  // namespace
}  // namespace umov::eqs::test
