// Waves of the grid and sums over equivalent currents.
#include "fdtd/observables/far_field.hpp"

namespace umov::fdtd {
namespace {

/// Wave number along a direction by Newton's method from that of the continuum.
double wave_number(const Grid& g, const FarMedium& medium, double frequency, const Vec3& direction) {
  const double w = 2 * pi * frequency, discrete = 2 / g.dt * std::sin(w * g.dt / 2) * medium.index();
  double k = w * medium.index();
  for (int pass = 0; pass < 50; ++pass) {
    double value = -discrete * discrete, slope = 0;
    for (int a = 0; a < 3; ++a) {
      const double half = k * direction[a] * g.dx / 2;
      value += 4 / (g.dx * g.dx) * std::sin(half) * std::sin(half);
      slope += 2 / g.dx * direction[a] * std::sin(2 * half);
    }
    const double step = value / slope;
    k -= step;
    if (std::abs(step) < 1e-15 * k) break;
  }
  return k;
}

void add_polarization(GridWave& wave, int which, const Vec3& e, double mu_w) {
  const Vec3& K = wave.difference;
  const Vec3 across = e - dot(K, e) / dot(K, K) * K;
  wave.e[which] = 1 / norm(across) * across;
  wave.h[which] = 1 / mu_w * cross(K, wave.e[which]);
}

GridWave unpolarized(const Grid& g, const FarMedium& medium, double frequency, const Vec3& direction) {
  GridWave wave{};
  wave.k = wave_number(g, medium, frequency, direction) * direction;
  for (int a = 0; a < 3; ++a) wave.difference[a] = 2 / g.dx * std::sin(wave.k[a] * g.dx / 2);
  return wave;
}

double discrete_w(const Grid& g, double frequency) { return 2 / g.dt * std::sin(pi * frequency * g.dt); }

/// Factors exp(-i k_a x) of the samples of a component along one axis, times their weights.
std::vector<cplx> phases(const Patch& p, const Grid& g, int axis, double k) {
  std::vector<cplx> list;
  for (int m = 0; m < p.count[axis]; ++m) {
    const double x = g.origin[axis] + g.dx * (p.first[axis] + m + g.offset(p.electric, axis));
    list.push_back(p.weight[axis][m] * std::polar(1.0, -k * x));
  }
  return list;
}

/// Sums of E and of the mean H over a patch with factors exp(-i k.r).
std::array<cplx, 2> patch_sums(const Patch& p, const Grid& g, const std::vector<std::array<cplx, 2>>& fields,
                               const Vec3& k) {
  std::array<std::vector<cplx>, 3> phase;
  for (int a = 0; a < 3; ++a) phase[a] = phases(p, g, a, k[a]);
  std::array<cplx, 2> sum{};
  const std::array<cplx, 2>* at = fields.data();
  for (int l = 0; l < p.count[2]; ++l)
    for (int j = 0; j < p.count[1]; ++j) {
      cplx e = 0, h = 0;
      for (int i = 0; i < p.count[0]; ++i, ++at) {
        e += phase[0][i] * (*at)[0];
        h += phase[0][i] * (*at)[1];
      }
      sum[0] += phase[2][l] * phase[1][j] * e;
      sum[1] += phase[2][l] * phase[1][j] * h;
    }
  return sum;
}

}  // namespace

GridWave grid_wave(const Grid& g, const FarMedium& medium, double frequency, double theta, double phi) {
  const double t = theta * pi / 180, p = phi * pi / 180;
  const Vec3 direction{std::sin(t) * std::cos(p), std::sin(t) * std::sin(p), std::cos(t)};
  GridWave wave = unpolarized(g, medium, frequency, direction);
  const double mu_w = medium.mu * discrete_w(g, frequency);
  add_polarization(wave, 0, {std::cos(t) * std::cos(p), std::cos(t) * std::sin(p), -std::sin(t)}, mu_w);
  add_polarization(wave, 1, {-std::sin(p), std::cos(p), 0}, mu_w);
  return wave;
}

GridWave grid_wave(const Grid& g, const FarMedium& medium, double frequency, const Vec3& direction,
                   const Vec3& e) {
  GridWave wave = unpolarized(g, medium, frequency, direction);
  add_polarization(wave, 0, e, medium.mu * discrete_w(g, frequency));
  return wave;
}

std::vector<std::array<cplx, 2>> radiation(const Surface& surface, const Grid& g, const TransformValues& v,
                                           std::size_t f, const std::vector<GridWave>& waves) {
  std::vector<std::array<cplx, 2>> amplitude(waves.size());
  for (const Patch& p : surface.patches()) {
    std::vector<std::array<cplx, 2>> fields(p.size());
    for (std::size_t i = 0; i < fields.size(); ++i)
      fields[i] = {v.at(p.electric, f, p.e + i), mean_magnetic(p, v, f, i)};
    const int axis = p.face.axis, along_e = axis_of(p.electric), along_h = axis_of(p.magnetic);
#pragma omp parallel for schedule(static)
    for (std::size_t d = 0; d < waves.size(); ++d) {
      const GridWave& wave = waves[d];
      const auto [e, h] = patch_sums(p, g, fields, wave.k);
      const double apart = std::cos(wave.k[axis] * g.dx / 2);
      for (int q = 0; q < 2; ++q)
        amplitude[d][q] -= p.orientation * (wave.e[q][along_e] * h + wave.h[q][along_h] * apart * e);
    }
  }
  return amplitude;
}

cplx far_factor(const FarMedium& medium, double frequency, int dimensions) {
  const double w = 2 * pi * frequency;
  const cplx iwm(0, w * medium.mu);
  if (dimensions == 3) return iwm / (4 * pi);
  return iwm * std::polar(1.0, pi / 4) / std::sqrt(8 * pi * w * medium.index());
}

}  // namespace umov::fdtd
