// Waves of the grid and sums over equivalent currents.
#include "fdtd/observables/far_field.hpp"

#include <algorithm>

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

/// What a patch adds to A along e[which], from its sums of E and H.
cplx radiated(const Patch& p, const Grid& g, const FarWave& wave, int which,
              const std::array<cplx, 2>& sums) {
  const int node = std::clamp(p.face.node, 0, g.cells[p.face.axis]);
  const double apart = std::cos(wave.k[p.face.axis] * g.dual_edge(p.face.axis, node) / 2);
  return -p.orientation * (wave.e[which][axis_of(p.electric)] * sums[1] +
                           wave.h[which][axis_of(p.magnetic)] * apart * sums[0]);
}

/// The points of `size` places of each layer; `share` of each.
void add_points(LateralSum& s, const Transforms& t, Component c, std::initializer_list<std::size_t> layers,
                double share, std::size_t size) {
  bool any = false;
  for (const std::size_t first : layers)
    for (std::size_t i = 0; i < size; ++i) {
      const auto use = t.use(c, first + i);
      const bool stored = use.factor != 0.0;
      s.points.push_back({stored ? index_t(use.stored) : 0, Complex<double>(share * use.factor)});
      any |= stored;
    }
  if (any)
    s.a = t.accumulator(c);
  else
    s.points.clear();
}

/// Without the looks for infinities of the language's own product.
cplx times(const cplx& a, const cplx& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Factors exp(-i k_a x) of the samples of a component along one axis, times their weights. From one to the
/// next they turn by exp(-i k_a dx), which is many times quicker than a sine each, and is taken anew before
/// rounding adds up: a far field asks for them at every frequency in every direction.
std::vector<cplx> phases(const Patch& p, const Grid& g, int axis, double k) {
  constexpr int anew = 16;
  std::vector<cplx> list;
  list.reserve(std::size_t(p.count[axis]));
  if (g.graded(axis)) {
    for (int m = 0; m < p.count[axis]; ++m)
      list.push_back(p.weight[axis][m] *
                     std::polar(1.0, -k * g.place(axis, p.first[axis] + m + g.offset(p.electric, axis))));
    return list;
  }
  const cplx turn = std::polar(1.0, -k * g.dx);
  const double origin = g.origin[axis] + g.dx * (p.first[axis] + g.offset(p.electric, axis));
  cplx phase;
  for (int m = 0; m < p.count[axis]; ++m) {
    phase = m % anew == 0 ? std::polar(1.0, -k * (origin + g.dx * m)) : times(phase, turn);
    list.push_back(p.weight[axis][m] * phase);
  }
  return list;
}

}  // namespace

Vec3 far_direction(double theta, double phi) {
  const double t = theta * pi / 180, p = phi * pi / 180;
  return {std::sin(t) * std::cos(p), std::sin(t) * std::sin(p), std::cos(t)};
}

FarWave far_wave(const Grid& g, const FarMedium& medium, double frequency, double theta, double phi) {
  const double t = theta * pi / 180, p = phi * pi / 180;
  FarWave wave = unpolarized(g, medium, frequency, far_direction(theta, phi));
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
        e += times(phase[0][i], (*at)[0]);
        h += times(phase[0][i], (*at)[1]);
      }
      sum[0] += phase[2][l] * phase[1][j] * e;
      sum[1] += phase[2][l] * phase[1][j] * h;
    }
  return sum;
}

std::vector<std::array<cplx, 2>> patch_sums_by_height(const Patch& p, const Grid& g,
                                                      const std::vector<std::array<cplx, 2>>& fields,
                                                      const Vec3& k, int axis) {
  std::array<std::vector<cplx>, 3> phase;
  for (int a = 0; a < 3; ++a) phase[a] = phases(p, g, a, a == axis ? 0 : k[a]);
  std::vector<std::array<cplx, 2>> sums(std::size_t(p.count[axis]));
  const std::array<cplx, 2>* at = fields.data();
  Int3 m{0, 0, 0};
  for (m[2] = 0; m[2] < p.count[2]; ++m[2])
    for (m[1] = 0; m[1] < p.count[1]; ++m[1]) {
      const cplx row = times(phase[2][m[2]], phase[1][m[1]]);
      for (m[0] = 0; m[0] < p.count[0]; ++m[0], ++at) {
        const cplx factor = times(row, phase[0][m[0]]);
        auto& sum = sums[std::size_t(m[axis])];
        for (int field = 0; field < 2; ++field) sum[field] += times(factor, (*at)[field]);
      }
    }
  return sums;
}

std::vector<std::array<cplx, 2>> patch_fields(const Patch& p, const TransformValues& v, std::size_t f) {
  std::vector<std::array<cplx, 2>> fields(p.size());
  for (std::size_t i = 0; i < fields.size(); ++i)
    fields[i] = {v.at(p.electric, f, p.e + i), mean_magnetic(p, v, f, i)};
  return fields;
}

LateralSums lateral_sums(const Surface& surface, const Grid& g, const Transforms& transforms,
                         const LateralWaves& k) {
  std::vector<LateralSum> all;
  for (const Patch& p : surface.patches()) {
    const int axis = p.face.axis, first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    LateralSum e;
    e.frequencies = int(k[axis].size());
    e.count = {p.count[first], p.count[second]};
    e.waves = {int(k[first].front().size()), int(k[second].front().size())};
    for (std::size_t f = 0; f < k[axis].size(); ++f) {
      const cplx across = phases(p, g, axis, k[axis][f].front()).front();
      for (const double q : k[first][f])
        for (const cplx& c : phases(p, g, first, q)) e.first.emplace_back(c);
      for (const double q : k[second][f])
        for (const cplx& c : phases(p, g, second, q)) e.second.emplace_back(across * c);
    }
    LateralSum h = e;
    add_points(e, transforms, p.electric, {p.e}, 1, p.size());
    add_points(h, transforms, p.magnetic, {p.below, p.above}, 0.5, p.size());
    all.push_back(std::move(e));
    all.push_back(std::move(h));
  }
  return std::make_shared<const std::vector<LateralSum>>(std::move(all));
}

cplx radiation(const Surface& surface, const Grid& g, const std::vector<std::array<cplx, 2>>& sums,
               const FarWave& wave) {
  cplx amplitude = 0;
  for (std::size_t i = 0; i < sums.size(); ++i)
    amplitude += radiated(surface.patches()[i], g, wave, 0, sums[i]);
  return amplitude;
}

std::vector<std::array<cplx, 2>> radiation(const Surface& surface, const Grid& g, const TransformValues& v,
                                           std::size_t f, const std::vector<FarWave>& waves) {
  std::vector<std::array<cplx, 2>> amplitude(waves.size());
  for (const Patch& p : surface.patches()) {
    const auto fields = patch_fields(p, v, f);
#pragma omp parallel for schedule(static)
    for (std::size_t d = 0; d < waves.size(); ++d) {
      const FarWave& wave = waves[d];
      const auto sums = patch_sums(p, g, fields, wave.k);
      for (int q = 0; q < 2; ++q) amplitude[d][q] += radiated(p, g, wave, q, sums);
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
