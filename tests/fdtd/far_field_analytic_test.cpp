// The near-to-far transformation on the exact fields of elementary sources, sampled where the grid has them.
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "fdtd/monitors/near_to_far.hpp"
#include "support/field_engine.hpp"

using namespace umov;
using namespace umov::fdtd;

namespace {

constexpr double frequency_of_far_field_analytic = 0.7, k = 2 * pi * frequency_of_far_field_analytic;
const Vec3 place{0.13, -0.21, 0.08};  // off the centre and off the grid

cplx hankel(int n, double x) { return {std::cyl_bessel_j(n, x), std::cyl_neumann(n, x)}; }

/// E (TM) or H (TE, by duality H -> -E, E -> H) of a line current of strength 1 along z.
test::PhasorField line_current(bool magnetic) {
  return [magnetic](Component c, const Vec3& at, double) -> cplx {
    const double x = at[0] - place[0], y = at[1] - place[1], rho = std::hypot(x, y);
    if (axis_of(c) == 2) return -k / 4 * hankel(0, k * rho);
    // H = curl E / (i k): Hx = dEz/dy / (i k), Hy = -dEz/dx / (i k), dEz/drho = k^2/4 H1.
    const cplx radial = k * k / 4 * hankel(1, k * rho) / cplx(0, k);
    const cplx value = axis_of(c) == 0 ? radial * y / rho : -radial * x / rho;
    return magnetic ? -value : value;
  };
}

/// Current element of moment `p` (Jackson 1999, Classical Electrodynamics, eq. 9.18, with -i w p = moment).
test::PhasorField element(const Vec3& moment) {
  return [moment](Component c, const Vec3& at, double) -> cplx {
    const Vec3 d = at - place;
    const double r = norm(d);
    const Vec3 n = 1 / r * d;
    const cplx p = cplx(0, 1) / k, wave = std::polar(1 / (4 * pi * r), k * r);
    const int a = axis_of(c);
    if (!is_electric(c)) return k * k * wave * (1.0 - 1.0 / cplx(0, k * r)) * p * cross(n, moment)[a];
    const double radial = dot(n, moment);
    const cplx far = k * k * (moment[a] - n[a] * radial);
    const cplx near = (3 * n[a] * radial - moment[a]) * (1 / (r * r) - cplx(0, k) / r);
    return wave * p * (far + near);
  };
}

FarFieldResult far_field(Mode mode, double dx, const test::PhasorField& field, Vec3 size = {2, 2.4, 1.6}) {
  MonitorSpec m;
  m.kind = MonitorSpec::Kind::near_to_far;
  m.size = size;
  m.frequencies = {frequency_of_far_field_analytic};
  if (mode == Mode::full) {
    m.own<NearToFarSpec>() = {{0, 37, 90, 141}, {0, 55, 200}};
  }
  Simulation sim;
  sim.monitors = {m};
  return test::observe(sim, test::free_problem(mode, 3.2, dx), field).of<FarFieldResult>().at(0);
}

/// Largest deviation of intensities from a constant pattern, relative to its largest.
template <class Expected>
double worst(const FarFieldResult& r, const Expected& expected) {
  double error = 0, largest = 0;
  for (std::size_t d = 0; d < r.theta.size(); ++d) {
    const auto [theta, phi] = expected(r.theta[d] * pi / 180, r.phi[d] * pi / 180);
    error = std::max({error, std::abs(r.e_theta[d] - theta), std::abs(r.e_phi[d] - phi)});
    largest = std::max({largest, std::abs(theta), std::abs(phi)});
  }
  return error / largest;
}

/// Fields of the continuum seen with waves of the grid: those are shorter by at most (k dx)^2 / 24, over the
/// way from the centre to the farthest edge of the surface, 1.8.
double phase_error(double dx) { return k * k * dx * dx / 24 * k * 1.8; }

/// exp(-i k n.place) for a direction.
cplx shift(double theta, double phi) {
  const Vec3 n{std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
  return std::polar(1.0, -k * dot(n, place));
}

}  // namespace

TEST(FdtdFarField, OfALineCurrentHasAmplitudeAndPhaseWithSecondOrder) {
  for (const bool magnetic : {false, true}) {
    // E_z -> -k/4 sqrt(2 / (pi k rho)) exp(i (k rho - pi/4)); e_theta = -z, and H = n x E for the TE case.
    const cplx ez = -k / 4 * std::sqrt(2 / (pi * k)) * std::polar(1.0, -pi / 4);
    const auto expected = [&](double theta, double phi) {
      const cplx value = ez * shift(theta, phi);
      return magnetic ? std::pair<cplx, cplx>(0, value) : std::pair<cplx, cplx>(-value, 0);
    };
    double before = 0;
    for (const double dx : {0.1, 0.05, 0.025}) {
      const double error =
          worst(far_field(magnetic ? Mode::te : Mode::tm, dx, line_current(magnetic)), expected);
      if (before > 0) {
        EXPECT_NEAR(before / error, 4, 0.5) << dx;
      }
      before = error;
    }
    EXPECT_LT(before, phase_error(0.025));
  }
}

TEST(FdtdFarField, OfACurrentElementHasAmplitudeAndPhaseWithSecondOrder) {
  const Vec3 moment{0.3, -0.5, 0.8};
  const auto expected = [&](double theta, double phi) {
    const Vec3 e_theta{std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi), -std::sin(theta)};
    const Vec3 e_phi{-std::sin(phi), std::cos(phi), 0};
    const cplx factor = cplx(0, k) / (4 * pi) * shift(theta, phi);
    return std::pair<cplx, cplx>(factor * dot(moment, e_theta), factor * dot(moment, e_phi));
  };
  double before = 0;
  for (const double dx : {0.2, 0.1, 0.05}) {
    const double error = worst(far_field(Mode::full, dx, element(moment)), expected);
    if (before > 0 && dx < 0.1) {
      EXPECT_NEAR(before / error, 4, 0.5) << dx;
    }
    before = error;
  }
  EXPECT_LT(before, phase_error(0.05));
}

TEST(FdtdFarField, PowerAroundEqualsTheFluxOutOfTheSurface) {
  const FarFieldResult r = far_field(Mode::tm, 0.025, line_current(false));
  double around = 0;
  for (const double u : r.intensity) around += u * 2 * pi / 360;
  // A line current radiates k / 8 per length.
  EXPECT_NEAR(r.power[0] / (k / 8), 1, 0.002);
  EXPECT_NEAR(around / r.power[0], 1, 0.002);
}

TEST(FdtdFarField, RefusesAnOpenSurface) {
  MonitorSpec m;
  m.kind = MonitorSpec::Kind::near_to_far;
  m.center = {1, 0, 0};
  m.size = {0, 2, 0};
  m.frequencies = {frequency_of_far_field_analytic};
  Simulation sim;
  sim.monitors = {m};
  EXPECT_THROW(test::observe(sim, test::free_problem(Mode::tm, 3.2, 0.1), line_current(false)), BadInput);
}

TEST(FdtdFarField, RefusesLayersBodiesAndOneDimension) {
  MonitorSpec m;
  m.kind = MonitorSpec::Kind::near_to_far;
  m.size = {2.8, 2.8, 0};
  m.frequencies = {frequency_of_far_field_analytic};
  Simulation sim;
  sim.monitors = {m};
  Problem layered = test::free_problem(Mode::tm, 3.2, 0.1);
  layered.pml[0][1].layers = 5;
  EXPECT_THROW(Monitors(sim, test::EmptyScene(), layered), BadInput);
  Problem line = test::free_problem(Mode::one, 3.2, 0.1);
  EXPECT_THROW(Monitors(sim, test::EmptyScene(), line), BadInput);

  struct Corner : test::EmptyScene {  // flat along no axis
    Corner() { two[1].eps = {2, 2, 2}; }
    const std::vector<materials::Material>& materials() const override { return two; }
    int material_at(const Vec3& at) const override { return at[0] > 0 && at[1] > 0; }
    std::vector<materials::Material> two = std::vector<materials::Material>(2);
  };
  Problem cut = test::free_problem(Mode::tm, 3.2, 0.1);
  EXPECT_THROW(Monitors(sim, Corner(), cut), BadInput);
}
