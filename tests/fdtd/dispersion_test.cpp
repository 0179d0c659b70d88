// Eigenfrequencies, decay and permittivity of the discrete equations against their exact relations.
#include "materials/material.hpp"
#include "support/fdtd_problems.hpp"

namespace umov::fdtd::trial {
namespace {

/// One eigenfrequency: samples obey a[n+1] = trace a[n] - det a[n-1]. Least squares for both.
struct Recurrence {
  double trace = 0, det = 0;
};
Recurrence fit(const std::vector<double>& a) {
  double s00 = 0, s01 = 0, s11 = 0, b0 = 0, b1 = 0;
  for (std::size_t n = 1; n + 1 < a.size(); ++n) {
    s00 += a[n] * a[n], s01 -= a[n] * a[n - 1], s11 += a[n - 1] * a[n - 1];
    b0 += a[n] * a[n + 1], b1 -= a[n - 1] * a[n + 1];
  }
  const double d = s00 * s11 - s01 * s01;
  return {(b0 * s11 - b1 * s01) / d, (s00 * b1 - s01 * b0) / d};
}

/// Periodic box (Bloch phases given by k where complex) with the standing wave of wave vector k, in radians
/// per cell; E across the discrete wave vector. Returns the series of one component at one place.
std::vector<double> standing_wave(Problem p, const Vec3& k, const Vec3& e, Component component) {
  p.walls = all_walls(Closure::periodic);
  if (p.complex_fields)
    for (int a = 0; a < 3; ++a) p.bloch_phase[a] = p.grid.active(a) ? k[a] * p.grid.cells[a] : 0;
  p.recorders = {point_recorder(p, component, {0, 0, 0})};
  auto engine = engine_for(p);
  for (int c = Ex; c <= Ez; ++c)
    if (has_component(p.grid.mode, c))
      set_values(*engine, p, Component(c),
                 [&](const Vec3& at) { return e[c] * std::polar(1.0, dot(k, at)); });
  engine->advance(300);
  auto raw = engine->drain(0);
  if (!p.complex_fields) return raw;
  std::vector<double> real;
  for (std::size_t n = 0; n < raw.size(); n += 2) real.push_back(raw[n]);
  return real;
}

/// (2/dt sin(w dt/2))^2 of vacuum: the sum of squares of the discrete wave vector.
Vec3 discrete(const Vec3& k) {
  return {2 * std::sin(k[0] / 2), 2 * std::sin(k[1] / 2), 2 * std::sin(k[2] / 2)};
}

struct Wave {
  Mode mode;
  Int3 cells;
  Vec3 k;
  Vec3 e;
  Component component;
};
std::vector<Wave> waves(bool bloch) {
  const auto k = [&](const Int3& cells, const Int3& m) {
    Vec3 v{0, 0, 0};
    for (int a = 0; a < 3; ++a)
      if (cells[a] > 1) v[a] = 2 * pi * (m[a] + (bloch ? 0.37 : 0.0)) / cells[a];
    return v;
  };
  const Int3 line{16, 1, 1}, plane{20, 15, 1}, box{12, 10, 9};
  const Vec3 kp = k(plane, {2, 1, 0}), kb = k(box, {1, 2, 1});
  const Vec3 te = discrete(kp), full = cross(discrete(kb), {0.2, 0.5, 1});
  return {{Mode::one, line, k(line, {1, 0, 0}), {0, 0, 1}, Ez},
          {Mode::tm, plane, kp, {0, 0, 1}, Ez},
          {Mode::te, plane, kp, {-te[1], te[0], 0}, Ey},
          {Mode::full, box, kb, full, Ex}};
}

/// Yee 1966: sin^2(w dt/2) = (dt/dx)^2 sum sin^2(k_a dx/2) / eps; exact, so only rounding is allowed.
void expect_exact_dispersion(bool bloch) {
  for (const Wave& w : waves(bloch)) {
    Problem p = vacuum(w.mode, w.cells);
    p.complex_fields = bloch;
    const double eps = 2.25;
    p.coefficients.push_back({1, p.grid.dt / eps});
    p.uniform[Ex] = p.uniform[Ey] = p.uniform[Ez] = 1;
    const Vec3 kd = discrete(w.k);
    const double expected = 2 - p.grid.dt * p.grid.dt * dot(kd, kd) / eps;
    const Recurrence r = fit(standing_wave(p, w.k, w.e, w.component));
    EXPECT_NEAR(r.trace, expected, 1e-12) << int(w.mode);
    EXPECT_NEAR(r.det, 1, 1e-12) << int(w.mode);
  }
}

TEST(FdtdDispersion, IsExactlyYeesInEveryModeAndDirection) { expect_exact_dispersion(false); }
TEST(FdtdDispersion, IsExactlyYeesForBlochWavesOfAnyPhase) { expect_exact_dispersion(true); }

TEST(FdtdDispersion, BlochWaveTravelsTheWayItsPhaseSays) {
  Problem p = vacuum(Mode::one, {8, 1, 1});
  const double k = 0.2, kd = 2 * std::sin(k / 2), w = 2 / p.grid.dt * std::asin(p.grid.dt * kd / 2);
  p.complex_fields = true;
  p.walls = all_walls(Closure::periodic);
  p.bloch_phase = {8 * k, 0, 0};
  auto e = engine_for(p);
  // Ez = exp(i(kx - wt)); curl of this sign makes Hy = -Ez half a cell and half a step aside
  set_values(*e, p, Ez, [&](const Vec3& at) { return std::polar(1.0, k * at[0]); });
  set_values(*e, p, Hy, [&](const Vec3& at) { return -std::polar(1.0, k * at[0] + w * p.grid.dt / 2); });
  const int steps = 500;
  e->advance(steps);
  const FieldBlock ez = values(*e, p, Ez);
  for (int i = 0; i < 8; ++i) {
    const cplx expected = std::polar(1.0, k * i - w * p.grid.dt * steps);
    EXPECT_NEAR(ez.real[i], expected.real(), 1e-11);
    EXPECT_NEAR(ez.imag[i], expected.imag(), 1e-11);
  }
}

/// Semi-implicit conductivity: what the painting of materials puts into Coefficients.
Coefficients lossy(double dt, double constant, double sigma) {
  const double x = sigma * dt / (2 * constant);
  return {(1 - x) / (1 + x), dt / constant / (1 + x)};
}

// Conductive and magnetic media: the roots of w^2 eps mu + i w (eps sm + mu s) - s sm - k^2 = 0 give decay
// and frequency of the continuous wave; at 64 cells per wavelength the discrete one is off by (k dx)^2/24 and
// (w dt)^2/12, together below 1e-3.
TEST(FdtdDispersion, WavesInLossyMagneticMediaDecayAsTheyMust) {
  for (const auto& [eps, mu, s, sm] :
       {std::array{2.0, 1.0, 0.02, 0.0}, {1.0, 3.0, 0.0, 0.05}, {4.0, 2.0, 0.01, 0.03}}) {
    Problem p = vacuum(Mode::one, {64, 1, 1});
    p.coefficients.push_back(lossy(p.grid.dt, eps, s));
    p.coefficients.push_back(lossy(p.grid.dt, mu, sm));
    p.uniform[Ez] = 1;
    p.uniform[Hy] = 2;
    const double k = 2 * pi / 64, dt = p.grid.dt;
    const Recurrence r = fit(standing_wave(p, {k, 0, 0}, {0, 0, 1}, Ez));
    const double decay = -std::log(r.det) / (2 * dt);
    const double frequency = std::acos(r.trace / (2 * std::sqrt(r.det))) / dt;
    const double half = (eps * sm + mu * s) / (2 * eps * mu);
    const double expected = std::sqrt((k * k + s * sm) / (eps * mu) - half * half);
    EXPECT_NEAR(decay, half, 1e-3 * half);
    EXPECT_NEAR(frequency, expected, 1e-3 * expected);
    // exactly what the discrete equations have; two unknowns from a slow wave lose four of sixteen digits
    const double kd = 2 * std::sin(k / 2);
    EXPECT_NEAR(r.det, p.coefficients[1].decay * p.coefficients[2].decay, 1e-11);
    EXPECT_NEAR(r.trace,
                p.coefficients[1].decay + p.coefficients[2].decay -
                    p.coefficients[1].drive * p.coefficients[2].drive * kd * kd,
                1e-11);
  }
}

/// The terms of one pole, and what it adds to the coefficients of E (problem.hpp, DispersiveGroup).
struct Discretised {
  PoleTerm term;
  Coefficients electric;
};
Discretised discretise(const materials::Pole& pole, double eps, double dt) {
  using Kind = materials::Pole::Kind;
  if (pole.kind == Kind::debye) {
    const double a = (2 * pole.tau - dt) / (2 * pole.tau + dt), b = pole.strength * dt / (2 * pole.tau + dt);
    return {{true, a, b, 0, (1 - a) / (eps + b)}, {(eps - b) / (eps + b), dt / (eps + b)}};
  }
  const double damping = 1 + pole.gamma * dt / 2,
               w2 = pole.kind == Kind::lorentz ? pole.omega * pole.omega : 0;
  const double drive = pole.kind == Kind::lorentz ? pole.strength * w2 : pole.strength;
  return {{false, (2 - damping) / damping, drive * dt / damping, w2 * dt / damping, dt / eps}, {1, dt / eps}};
}
/// Permittivity of one pole at a complex frequency, time dependence exp(-i w t).
cplx permittivity(const materials::Pole& p, double eps, cplx w) {
  using namespace std::complex_literals;
  using Kind = materials::Pole::Kind;
  if (p.kind == Kind::debye) return eps + p.strength / (1.0 - 1i * w * p.tau);
  if (p.kind == Kind::drude) return eps - p.strength / (w * w + 1i * p.gamma * w);
  return eps + p.strength * p.omega * p.omega / (p.omega * p.omega - w * w - 1i * p.gamma * w);
}

/// Permittivity that the discrete equations have at frequency w: Ampere's law between the transforms of the
/// fields at one node, eps (E' - E) = dt/dx (H_i - H_(i-1)), after a pulse of H elsewhere. w has an imaginary
/// part, which makes the transforms of the still ringing medium converge.
cplx discrete_permittivity(const materials::Pole& pole, double eps, cplx w, double dx) {
  const int n = 40;
  Problem p = vacuum(Mode::one, {n, 1, 1});
  p.grid.dx = dx;
  p.grid.dt = 0.5 * dx;
  const double dt = p.grid.dt;
  const Discretised d = discretise(pole, eps, dt);
  p.walls = all_walls(Closure::periodic);
  p.coefficients = {{1, dt / dx}, {d.electric.decay, d.electric.drive / dx}};
  p.uniform[Ez] = 1;
  DispersiveGroup g;
  g.component = Ez;
  for (int i = 0; i < n; ++i) g.cells.push_back(Layout(p.grid).at(i, 0, 0));
  g.poles = {d.term};
  p.dispersive = {g};
  p.tables = {signal_table([dt](long s) { return std::exp(-std::pow((double(s) * dt - 4) / 1, 2)); })};
  p.sources = {point_source(p, Hy, {20, 0, 0})};
  p.recorders = {point_recorder(p, Ez, {10, 0, 0}), point_recorder(p, Hy, {9, 0, 0}),
                 point_recorder(p, Hy, {10, 0, 0})};
  auto e = engine_for(p);
  const long steps = long(40 / w.imag() / dt);
  e->advance(steps);
  const auto ez = e->drain(0), below = e->drain(1), above = e->drain(2);
  using namespace std::complex_literals;
  cplx change = 0, curl = 0;
  for (long s = 0; s < steps; ++s) {
    const cplx z = std::exp(1i * w * dt * (double(s) + 0.5));
    change += z * (ez[s] - (s ? ez[s - 1] : 0.0));
    curl += z * (above[s] - below[s]) * dt / dx;
  }
  return curl / change;
}

// Second order in the time step (the scheme is centred), measured at two steps; and close at the finer one.
TEST(FdtdDispersion, PolesHaveTheirPermittivityToSecondOrder) {
  using Kind = materials::Pole::Kind;
  for (const materials::Pole& pole :
       {materials::Pole{Kind::drude, 2.0, 0, 0.1, 0}, materials::Pole{Kind::lorentz, 1.5, 1.2, 0.2, 0},
        materials::Pole{Kind::debye, 3.0, 0, 0, 0.8}})
    for (const double real : {0.7, 1.1, 1.6}) {
      const cplx w(real, 0.1), exact = permittivity(pole, 2.0, w);
      const double coarse = std::abs(discrete_permittivity(pole, 2.0, w, 0.2) - exact) / std::abs(exact);
      const double fine = std::abs(discrete_permittivity(pole, 2.0, w, 0.1) - exact) / std::abs(exact);
      EXPECT_LT(fine, 3e-3) << int(pole.kind) << ' ' << real;
      EXPECT_GT(coarse / fine, 3.5) << int(pole.kind) << ' ' << real;
    }
}

}  // namespace
}  // namespace umov::fdtd::trial
