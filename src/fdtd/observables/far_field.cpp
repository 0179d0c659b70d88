// Waves of the grid and sums over equivalent currents.
#include "fdtd/observables/far_field.hpp"

#include "fdtd/sources/dispersion.hpp"

namespace umov::fdtd {
namespace {

void add_polarization(FarWave& wave, int which, const Vec3& e, double mu_w) {
  const Vec3& K = wave.difference;
  const Vec3 across = e - dot(K, e) / dot(K, K) * K;
  wave.e[which] = 1 / norm(across) * across;
  wave.h[which] = 1 / mu_w * cross(K, wave.e[which]);
}

FarWave unpolarized(const Grid& g, const FarMedium& medium, double frequency, const Vec3& direction) {
  const WaveFamily family{{0, 0, 0}, direction, medium.eps, medium.mu};
  const GridWave wave = grid_wave(g, family, 2 * pi * frequency);
  return {wave.kappa * direction, wave.K, {}, {}};
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

}  // namespace

FarWave far_wave(const Grid& g, const FarMedium& medium, double frequency, double theta, double phi) {
  const double t = theta * pi / 180, p = phi * pi / 180;
  const Vec3 direction{std::sin(t) * std::cos(p), std::sin(t) * std::sin(p), std::cos(t)};
  FarWave wave = unpolarized(g, medium, frequency, direction);
  const double mu_w = medium.mu * discrete_w(g, frequency);
  add_polarization(wave, 0, {std::cos(t) * std::cos(p), std::cos(t) * std::sin(p), -std::sin(t)}, mu_w);
  add_polarization(wave, 1, {-std::sin(p), std::cos(p), 0}, mu_w);
  return wave;
}

FarWave far_wave(const Grid& g, const FarMedium& medium, double frequency, const Vec3& direction,
                 const Vec3& e) {
  FarWave wave = unpolarized(g, medium, frequency, direction);
  add_polarization(wave, 0, e, medium.mu * discrete_w(g, frequency));
  return wave;
}

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

std::vector<std::array<cplx, 2>> patch_fields(const Patch& p, const TransformValues& v, std::size_t f) {
  std::vector<std::array<cplx, 2>> fields(p.size());
  for (std::size_t i = 0; i < fields.size(); ++i)
    fields[i] = {v.at(p.electric, f, p.e + i), mean_magnetic(p, v, f, i)};
  return fields;
}

std::vector<std::array<cplx, 2>> radiation(const Surface& surface, const Grid& g, const TransformValues& v,
                                           std::size_t f, const std::vector<FarWave>& waves) {
  std::vector<std::array<cplx, 2>> amplitude(waves.size());
  for (const Patch& p : surface.patches()) {
    const auto fields = patch_fields(p, v, f);
    const int axis = p.face.axis, along_e = axis_of(p.electric), along_h = axis_of(p.magnetic);
#pragma omp parallel for schedule(static)
    for (std::size_t d = 0; d < waves.size(); ++d) {
      const FarWave& wave = waves[d];
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
