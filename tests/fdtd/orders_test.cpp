// Diffraction orders of periodic cells: against the grating equation, the flux, Fresnel's formulas and
// rigorous coupled-wave analysis.
#include "fdtd/monitors/orders.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "fdtd/monitors/flux.hpp"
#include "fdtd/sources/waveform.hpp"
#include "support/fdtd_cases.hpp"
#include "support/monitor_runs.hpp"

using namespace umov;
using namespace umov::fdtd;
using Kind = MonitorSpec::Kind;

namespace {

/// A cell of one period along y (and z), lit along x at an angle by a plane wave of frequency 1.
Simulation cell(const Vec3& size, double resolution, bool te, double angle) {
  Simulation s;
  s.size = size;
  s.resolution = resolution;
  s.te = te;
  s.pml.layers = 12;
  s.walls[1] = s.walls[2] = {WallKind::bloch, WallKind::bloch};
  s.bloch = {0, std::sin(angle * degree), 0};
  SourceSpec wave = test::pulse(Ez, {0, 0, 0}, 1, 0.1);
  wave.kind = SourceSpec::Kind::plane_wave;
  wave.phi = angle;
  s.sources = {wave};
  return s;
}

MonitorSpec orders_at(double x, const std::string& name, Mode mode, std::vector<double> frequencies = {1}) {
  MonitorSpec m =
      test::monitor(Kind::orders, {x, 0, 0}, {0, infinity, mode == Mode::full ? infinity : 0}, frequencies);
  m.name = name;
  return m;
}

/// Ridges of glass on glass: period 1.6, height 0.5, ridges 0.64 wide, from x = -0.5 to 0.
void add_grating(Simulation& s) {
  MaterialSpec glass = test::constant("glass", 2.25);
  s.materials = {glass};
  BodySpec below = test::body("box", "glass", {5, 0, 0}), ridge = test::body("box", "glass", {-0.25, 0.1, 0});
  below.size = Vec3{10, 0, 0};
  ridge.size = Vec3{0.5, 0.64, 0};
  s.bodies = {below, ridge};
}

double of(const OrdersResult& r, int m, const std::vector<double>& values, int n = 0) {
  for (std::size_t i = 0; i < r.size(); ++i)
    if (r.m[i] == m && r.n[i] == n) return values[i];
  ADD_FAILURE() << "no order " << m << ", " << n;
  return 0;
}

std::size_t zero_of(const OrdersResult& r) {
  for (std::size_t i = 0; i < r.size(); ++i)
    if (r.m[i] == 0 && r.n[i] == 0) return i;
  ADD_FAILURE() << "no order 0";
  return 0;
}

double sum(const std::vector<double>& values) {
  double all = 0;
  for (const double v : values) all += v;
  return all;
}

struct Expected {
  int m;
  double reflected, transmitted;
};

void expect_grating(bool te, double angle, const std::vector<Expected>& expected) {
  Simulation s = cell({5, 1.6, 0}, 40, te, angle);
  add_grating(s);
  s.monitors = {orders_at(-1.2, "front", Mode::tm), orders_at(0.9, "back", Mode::tm)};
  const Outcome out = test::run_monitored(s, 60);
  const OrdersResult &front = out.of<OrdersResult>().at(0), &back = out.of<OrdersResult>().at(1);
  for (const Expected& e : expected) {
    // 40 cells per wavelength in vacuum, 27 in glass: measured below 2.5e-3.
    if (e.reflected > 0) {
      EXPECT_NEAR(of(front, e.m, front.backward), e.reflected, 4e-3) << e.m;
    }
    EXPECT_NEAR(of(back, e.m, back.forward), e.transmitted, 4e-3) << e.m;
    const double sine = std::sin(angle * degree) + e.m / 1.6;
    EXPECT_NEAR(of(back, e.m, back.angle), std::asin(sine / 1.5) / degree, 1e-9);
  }
  EXPECT_NEAR(of(front, 0, front.forward), 1, 1e-4);
  EXPECT_LT(sum(back.backward), 1e-4);  // the layers' reflection of steep orders
  EXPECT_NEAR(sum(front.backward) + sum(back.forward), 1, 1e-3);
}

}  // namespace

// Values of the next four: rigorous coupled-wave analysis (Moharam et al. 1995, J. Opt. Soc. Am. A 12, 1068,
// with the inverse rule of Li 1996, J. Opt. Soc. Am. A 13, 1870), 161 orders, benchmarks/peers/rcwa.py; 81
// give the same to 3e-6.
TEST(FdtdOrders, OfALamellarGratingAreThoseOfCoupledWavesInTm) {
  expect_grating(false, 0, {{-2, 0, 0.014314}, {-1, 0, 0.209814}, {0, 0.028331, 0.521027}, {1, 0, 0.209814}});
}
TEST(FdtdOrders, OfALamellarGratingAreThoseOfCoupledWavesInTe) {
  expect_grating(true, 0, {{-2, 0, 0.013646}, {-1, 0, 0.159952}, {0, 0.028002, 0.623924}, {1, 0, 0.159952}});
}
TEST(FdtdOrders, OfALamellarGratingLitAtAnAngleAreThoseOfCoupledWavesInTm) {
  expect_grating(
      false, 20,
      {{-2, 0.003256, 0.010647}, {-1, 0.000433, 0.187309}, {0, 0.018529, 0.474124}, {1, 0.025519, 0.280182}});
}
TEST(FdtdOrders, OfALamellarGratingLitAtAnAngleAreThoseOfCoupledWavesInTe) {
  expect_grating(
      true, 20,
      {{-2, 0.000434, 0.019444}, {-1, 0.000006, 0.156957}, {0, 0.026004, 0.609568}, {1, 0.001575, 0.186013}});
}

TEST(FdtdOrders, OfAnEmptyCellAreOrderZeroWithTheWholePowerAndThePhaseOfTravel) {
  for (const bool te : {false, true})
    for (const double angle : {0.0, 35.0}) {
      Simulation s = cell({3.5, 1.5, 0}, 20, te, angle);
      s.monitors = {orders_at(0.5, "plane", Mode::tm)};
      const OrdersResult r = test::run_monitored(s, 40).of<OrdersResult>().at(0);
      EXPECT_TRUE(r.normalized);
      ASSERT_GT(r.size(), 1u);  // more orders propagate than there is power in
      EXPECT_NEAR(of(r, 0, r.forward), 1, 1e-6);
      EXPECT_NEAR(sum(r.forward), 1, 1e-6);
      EXPECT_LT(sum(r.backward), 1e-6);
      EXPECT_NEAR(of(r, 0, r.angle), angle, 1e-9);
      for (std::size_t i = 0; i < r.size(); ++i) {
        if (r.m[i] != 0) continue;
        const cplx a = te ? r.p_forward[i] : r.s_forward[i];
        // Half a unit along x; the grid's wave number is 0.4 % (20 cells per wavelength) above that of
        // vacuum.
        EXPECT_LT(std::abs(a - std::polar(1.0, 2 * pi * 0.5 * std::cos(angle * degree))), 0.03) << a;
      }
    }
}

// On 20 cells per wavelength the grid lets waves travel up to 0.3 % beyond cutoff, which are none in space.
TEST(FdtdOrders, AtAndBeyondCutoffAreNotListedButNamed) {
  struct Case {
    double period, frequency;
    std::string words;
  };
  for (const Case& c : {Case{2, 1, "order -2 at frequency 1, at cutoff"},
                        Case{1.5, 0.6662, "order -1 at frequency 0.6662, 0.07 % beyond cutoff"}}) {
    Simulation s = cell({3.5, c.period, 0}, 20, false, 0);
    s.monitors = {orders_at(0.5, "plane", Mode::tm, {0.9, c.frequency})};
    s.sources[0].waveform.frequency = 0.8;
    s.sources[0].waveform.width = 0.3;
    const Outcome out = test::run_monitored(s, 40);
    const OrdersResult& r = out.of<OrdersResult>().at(0);
    std::string said;
    for (const auto& w : out.warnings) said += w + "\n";
    EXPECT_NE(said.find(c.words), std::string::npos) << c.words << "\n" << said;
    EXPECT_GT(r.size(), 2u);
    for (std::size_t i = 0; i < r.size(); ++i) {
      EXPECT_LT(std::abs(r.angle[i]), 89.9);
      EXPECT_LT(std::abs(r.m[i]) / c.period, r.frequency[i]);
    }
    EXPECT_TRUE(r.forward_errors.record.empty() || r.forward_errors.record.size() == r.size());
  }
}

TEST(FdtdOrders, OfAnEmptyCellInSpaceKeepThePolarization) {
  Simulation s = cell({2.6, 0.8, 0.6}, 15, false, 0);
  // Travel in the plane of y and z turned by 40 degrees from y.
  const double incidence = 30 * degree, turn = 40 * degree;
  const Vec3 k{std::cos(incidence), std::sin(incidence) * std::cos(turn),
               std::sin(incidence) * std::sin(turn)};
  s.bloch = {0, k[1], k[2]};
  s.sources[0].theta = std::acos(k[2]) / degree;
  s.sources[0].phi = std::atan2(k[1], k[0]) / degree;
  s.sources[0].polarization_angle = 25;
  s.monitors = {orders_at(0.3, "plane", Mode::full)};
  const OrdersResult r = test::run_monitored(s, 45).of<OrdersResult>().at(0);  // sent between 11 and 28
  const Vec3 e_theta{k[2] * std::cos(s.sources[0].phi * degree), k[2] * std::sin(s.sources[0].phi * degree),
                     -std::sin(s.sources[0].theta * degree)};
  const Vec3 e_phi{-std::sin(s.sources[0].phi * degree), std::cos(s.sources[0].phi * degree), 0};
  const Vec3 e = std::cos(25 * degree) * e_theta + std::sin(25 * degree) * e_phi;
  const Vec3 along{0, std::cos(turn), std::sin(turn)};
  const Vec3 s_unit = cross({1, 0, 0}, along), p_unit = cross(s_unit, k);
  for (std::size_t i = 0; i < r.size(); ++i) {
    if (r.m[i] != 0 || r.n[i] != 0) continue;
    EXPECT_NEAR(r.forward[i], 1, 1e-6);
    EXPECT_NEAR(r.angle[i], 30, 1e-9);
    EXPECT_NEAR(r.azimuth[i], 40, 1e-9);
    // The grid's transverse polarizations differ from those of space by its dispersion, 15 cells per
    // wavelength.
    EXPECT_NEAR(std::abs(r.s_forward[i]), std::abs(dot(e, s_unit)), 0.01);
    EXPECT_NEAR(std::abs(r.p_forward[i]), std::abs(dot(e, p_unit)), 0.01);
  }
  EXPECT_NEAR(sum(r.forward), 1, 1e-6);
}

TEST(FdtdOrders, OfABareSurfaceAreFresnelsForBothPolarizations) {
  // From vacuum into index 1.5 at 30 degrees; conical directions make s and p of the plane of incidence mix
  // axes.
  const double incidence = 30 * degree, turn = 25 * degree, n = 1.5;
  const Vec3 k{std::cos(incidence), std::sin(incidence) * std::cos(turn),
               std::sin(incidence) * std::sin(turn)};
  const double ci = std::cos(incidence), ct = std::sqrt(1 - std::pow(std::sin(incidence) / n, 2));
  const double rs = std::pow((ci - n * ct) / (ci + n * ct), 2),
               rp = std::pow((n * ci - ct) / (n * ci + ct), 2);
  const double is = std::pow(std::cos(40 * degree), 2), ip = 1 - is;
  std::array<double, 2> reflected_s, reflected_p;
  for (int finer = 0; finer < 2; ++finer) {
    Simulation s = cell({3.2, 0.6, 0.4}, finer ? 30 : 15, false, 0);
    s.bloch = {0, k[1], k[2]};
    s.sources[0].theta = std::acos(k[2]) / degree;
    s.sources[0].phi = std::atan2(k[1], k[0]) / degree;
    // Turns E from the case's e_theta to 40 degrees from s.
    const double phi = s.sources[0].phi * degree, theta = s.sources[0].theta * degree;
    const Vec3 s_unit{0, -std::sin(turn), std::cos(turn)};
    const Vec3 e_theta{std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi), -std::sin(theta)};
    const Vec3 e_phi{-std::sin(phi), std::cos(phi), 0};
    s.sources[0].polarization_angle = std::atan2(dot(s_unit, e_phi), dot(s_unit, e_theta)) / degree + 40;
    s.materials = {test::constant("glass", n * n)};
    s.bodies = {test::body("box", "glass", {5, 0, 0})};
    s.bodies[0].size = Vec3{10, 0, 0};
    s.monitors = {orders_at(-0.4, "front", Mode::full), orders_at(0.5, "back", Mode::full)};
    const Outcome out = test::run_monitored(s, 30);
    const OrdersResult &front = out.of<OrdersResult>()[0], &back = out.of<OrdersResult>()[1];
    const std::size_t f = zero_of(front), b = zero_of(back);
    EXPECT_NEAR(std::norm(front.s_forward[f]), is,
                0.01);  // the grid's polarizations, 15 cells per wavelength
    EXPECT_NEAR(std::norm(front.p_forward[f]), ip, 0.01);
    EXPECT_NEAR(back.forward[b] + front.backward[f], 1, 1e-4);
    EXPECT_NEAR(back.angle[b], std::asin(std::sin(incidence) / n) / degree, 1e-9);
    reflected_s[finer] = std::norm(front.s_backward[f]) / std::norm(front.s_forward[f]);
    reflected_p[finer] = std::norm(front.p_backward[f]) / std::norm(front.p_forward[f]);
  }
  // Second order in the cell: the limit of the two grids; what is left of it is of fourth order.
  EXPECT_NEAR((4 * reflected_s[1] - reflected_s[0]) / 3, rs, 0.01 * rs);
  EXPECT_NEAR((4 * reflected_p[1] - reflected_p[0]) / 3, rp, 0.01 * rp);
  EXPECT_NEAR((reflected_s[0] - rs) / (reflected_s[1] - rs), 4, 0.6);
}

TEST(FdtdOrders, AddUpToTheFluxOfTheGrid) {
  // A current in a periodic cell, with nothing to divide by: efficiencies are fluxes.
  struct Case {
    Vec3 size;
    bool te;
    Component driven;
  };
  for (const Case& c :
       {Case{{8, 2.3, 0}, false, Ez}, Case{{8, 2.3, 0}, true, Hz}, Case{{8, 2.3, 0}, true, Ey},
        Case{{6.4, 1.5, 1.2}, false, Ey}, Case{{6.4, 1.5, 1.2}, false, Hz}}) {
    Simulation s = cell(c.size, 12, c.te, 0);
    s.pml.layers = 10;
    s.bloch = {0, 0.13, c.size[2] > 0 ? -0.21 : 0};
    s.sources = {test::pulse(c.driven, {-0.3, 0.17, 0.1}, 1, 0.1)};
    for (const double x : {c.size[0] / 2 - 1.1, 1.1 - c.size[0] / 2}) {
      s.monitors.push_back(
          orders_at(x, "orders" + std::to_string(x), c.size[2] > 0 ? Mode::full : Mode::tm, {0.9, 1.1}));
      s.monitors.push_back(s.monitors.back());
      s.monitors.back().kind = Kind::flux;
      s.monitors.back().name += "flux";
    }
    // Long enough for orders that begin to propagate within the pulse's band: they leave slowly.
    const Outcome out = test::run_monitored(s, c.size[2] > 0 ? 500 : 1500);
    for (int i = 0; i < 2; ++i) {
      const OrdersResult& r = out.of<OrdersResult>()[i];
      EXPECT_FALSE(r.normalized);
      EXPECT_FALSE(out.warnings.empty());
      for (int f = 0; f < 2; ++f) {
        double net = 0;
        for (std::size_t q = 0; q < r.size(); ++q)
          if (r.frequency[q] == out.of<FluxResult>()[i].frequency[f]) net += r.forward[q] - r.backward[q];
        // What the orders that do not propagate carry once the layers reflect them.
        EXPECT_NEAR(net / out.of<FluxResult>()[i].flux[f], 1, 1e-4) << i << f;
      }
    }
  }
}

TEST(FdtdOrders, DivideByTheReferenceRunOrByANamedMonitor) {
  Simulation s = cell({5, 1.6, 0}, 20, false, 0);
  add_grating(s);
  s.bodies[0].in_reference = false;
  const SourceSpec wave = s.sources[0];
  s.sources = {test::pulse(Ez, {-1.6, 0, 0}, 1, 0.1)};
  s.sources[0].kind = SourceSpec::Kind::box;
  s.sources[0].size = {0, 1.6, 0};
  s.monitors = {test::monitor(Kind::flux, {-1.2, 0, 0}, {0, infinity, 0}, {1}),
                orders_at(0.9, "own", Mode::tm), orders_at(0.9, "named", Mode::tm),
                orders_at(0.9, "against", Mode::tm)};
  s.monitors[0].name = "incident";
  s.monitors[2].reference = "incident";
  s.monitors[3].direction = -1;
  test::MonitoredRun empty(s, true), run(s);
  empty.until(40);
  run.until(40);
  const ReferenceFields reference = empty.monitors->reference(*empty.engine);
  const Outcome out = run.outcome(&reference);
  s.sources = {wave};
  s.monitors = {orders_at(0.9, "lit", Mode::tm)};
  const OrdersResult lit = test::run_monitored(s, 40).of<OrdersResult>().at(0);
  for (int m = -2; m <= 2; ++m) {
    EXPECT_NEAR(of(out.of<OrdersResult>()[0], m, out.of<OrdersResult>()[0].forward), of(lit, m, lit.forward),
                1e-3)
        << m;
    EXPECT_NEAR(of(out.of<OrdersResult>()[1], m, out.of<OrdersResult>()[1].forward), of(lit, m, lit.forward),
                1e-3)
        << m;
    EXPECT_DOUBLE_EQ(of(out.of<OrdersResult>()[2], m, out.of<OrdersResult>()[2].backward),
                     of(out.of<OrdersResult>()[0], m, out.of<OrdersResult>()[0].forward));
  }
}

TEST(FdtdOrders, AreRefusedWhereThereAreNone) {
  const auto refused = [](auto change) {
    Simulation s = cell({3.5, 1.5, 0}, 12, false, 0);
    s.monitors = {orders_at(0.5, "plane", Mode::tm)};
    change(s);
    try {
      test::MonitoredRun run(s);
    } catch (const BadInput& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused([](Simulation&) {}), "");
  EXPECT_NE(refused([](Simulation& s) { s.monitors[0].size[1] = 1; }).find("of the period"),
            std::string::npos);
  EXPECT_NE(refused([](Simulation& s) {
              s.monitors[0].size = {1, 0, 0};
            }).find("do not repeat"),
            std::string::npos);
  EXPECT_NE(refused([](Simulation& s) { s.monitors[0].center[0] = -1.7; }).find("absorbing layer"),
            std::string::npos);
  EXPECT_NE(refused([](Simulation& s) {
              s.size[0] = 6;
              add_grating(s);
              s.monitors[0].center[0] = -0.25;
            }).find("cuts a body"),
            std::string::npos);
}
