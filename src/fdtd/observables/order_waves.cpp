// Fourier components of a plane, and the waves that they are made of.
#include "fdtd/observables/order_waves.hpp"

#include <Eigen/Dense>
#include <numeric>

#include "fdtd/sources/dispersion.hpp"

namespace umov::fdtd {
namespace {

/// Fields of one wave of unit |E|.
struct TestWave {
  Vec3 e{0, 0, 0}, h{0, 0, 0};
};

/// Unit vectors of both polarizations. Without a transverse wave vector the plane's first axis stands for it;
/// in two dimensions s is always z.
std::array<Vec3, 2> polarizations(const OrderPlane& plane, const Vec3& K, Mode mode) {
  Vec3 normal{0, 0, 0}, along{0, 0, 0};
  normal[plane.axis] = 1;
  for (const int a : plane.across) along[a] = K[a];
  if (norm(along) < 1e-9 * norm(K)) along = {0, 0, 0}, along[plane.across[0]] = 1;
  Vec3 s = mode == Mode::full ? cross(normal, along) : Vec3{0, 0, 1};
  s = (1 / norm(s)) * s;
  return {s, (1 / norm(K)) * cross(s, K)};
}

/// The polarizations that a mode has: both in three dimensions, s in TM, p in TE.
std::vector<int> present(Mode mode) {
  if (mode == Mode::full) return {0, 1};
  return {mode == Mode::te ? 1 : 0};
}

/// s and p waves along +axis, then those along -axis.
std::vector<TestWave> waves_of(const OrderPlane& plane, const GridWave& wave, Mode mode) {
  std::vector<TestWave> waves;
  for (const double way : {1.0, -1.0}) {
    Vec3 K = wave.K;
    K[plane.axis] *= way;
    const auto e = polarizations(plane, K, mode);
    for (const int q : present(mode))
      waves.push_back({e[q], (1 / (plane.medium.mu * wave.Omega)) * cross(K, e[q])});
  }
  return waves;
}

double area_of(const Patch& p) {
  double area = 1;
  for (const auto& weights : p.weight) area *= std::accumulate(weights.begin(), weights.end(), 0.0);
  return area;
}

/// Flux of one wave through the plane, by the sums that make the flux of the grid.
double flux_of(const Surface& surface, const TestWave& w, double apart) {
  double flux = 0;
  for (const Patch& p : surface.patches()) {
    const double area = area_of(p);
    flux += 0.5 * p.orientation * area * w.e[axis_of(p.electric)] * w.h[axis_of(p.magnetic)] * apart;
  }
  return std::abs(flux);
}

/// Amplitudes of the waves whose sums over each patch are those of the fields.
std::vector<cplx> solve(const Surface& surface, const std::vector<TestWave>& waves, double apart,
                        const std::vector<std::array<cplx, 2>>& sums) {
  const auto rows = Eigen::Index(2 * sums.size());
  Eigen::MatrixXd matrix(rows, Eigen::Index(waves.size())), right(rows, 2);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const Patch& p = surface.patches()[i];
    const double area = area_of(p);
    for (int side = 0; side < 2; ++side) {
      right(Eigen::Index(2 * i) + side, 0) = sums[i][side].real() / area;
      right(Eigen::Index(2 * i) + side, 1) = sums[i][side].imag() / area;
    }
    for (std::size_t w = 0; w < waves.size(); ++w) {
      matrix(Eigen::Index(2 * i), Eigen::Index(w)) = waves[w].e[axis_of(p.electric)];
      matrix(Eigen::Index(2 * i) + 1, Eigen::Index(w)) = apart * waves[w].h[axis_of(p.magnetic)];
    }
  }
  const Eigen::MatrixXd found = matrix.colPivHouseholderQr().solve(right);
  std::vector<cplx> amplitudes;
  for (Eigen::Index w = 0; w < found.rows(); ++w) amplitudes.emplace_back(found(w, 0), found(w, 1));
  return amplitudes;
}

}  // namespace

std::array<int, 2> order_range(const OrderPlane& plane, int which, double k, const Grid& g) {
  if (!g.active(plane.across[which])) return {0, 0};
  const double period = 2 * pi / plane.period[which], zero = plane.transverse[plane.across[which]];
  return {int(std::ceil((-k - zero) / period)) - 1, int(std::floor((k - zero) / period)) + 1};
}

std::vector<OrderAmplitudes> order_amplitudes(const OrderPlane& plane, const Surface& surface, const Grid& g,
                                              const TransformValues& v, std::size_t f, double frequency) {
  std::vector<std::vector<std::array<cplx, 2>>> fields;
  for (const Patch& p : surface.patches()) fields.push_back(patch_fields(p, v, f));
  const auto sums = [&](int, int, const Vec3& transverse) {
    std::vector<std::array<cplx, 2>> all;
    for (std::size_t i = 0; i < fields.size(); ++i)
      all.push_back(patch_sums(surface.patches()[i], g, fields[i], transverse));
    return all;
  };
  return order_amplitudes(plane, surface, g, sums, frequency);
}

std::vector<OrderAmplitudes> order_amplitudes(const OrderPlane& plane, const Surface& surface, const Grid& g,
                                              const OrderSums& patch_sums_of, double frequency) {
  const double k = 2 * pi * frequency * plane.medium.index();
  const auto [m0, m1] = order_range(plane, 0, k, g);
  const auto [n0, n1] = order_range(plane, 1, k, g);
  const auto kinds = present(g.mode);
  std::vector<OrderAmplitudes> orders;
  for (int m = m0; m <= m1; ++m)
    for (int n = n0; n <= n1; ++n) {
      OrderAmplitudes order{m, n, plane.transverse, {}, {}};
      order.transverse[plane.across[0]] = order_wave(plane, 0, m);
      order.transverse[plane.across[1]] = order_wave(plane, 1, n);
      WaveFamily family{order.transverse, {0, 0, 0}, plane.medium.eps, plane.medium.mu};
      family.along[plane.axis] = 1;
      const GridWave wave = grid_wave(g, family, 2 * pi * frequency);
      if (!wave.travels) continue;
      const auto sums = patch_sums_of(m, n, order.transverse);
      const double apart = std::cos(wave.kappa * g.dx / 2);
      const auto waves = waves_of(plane, wave, g.mode);
      const auto found = solve(surface, waves, apart, sums);
      for (std::size_t q = 0; q < kinds.size(); ++q) {
        order.up[kinds[q]] = found[q] * std::sqrt(flux_of(surface, waves[q], apart));
        const std::size_t back = q + kinds.size();
        order.down[kinds[q]] = found[back] * std::sqrt(flux_of(surface, waves[back], apart));
      }
      orders.push_back(order);
    }
  return orders;
}

}  // namespace umov::fdtd
