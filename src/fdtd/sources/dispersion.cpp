// The Yee dispersion relation solved for the wave number.
#include "fdtd/sources/dispersion.hpp"

#include <algorithm>

namespace umov::fdtd {
namespace {

/// What differences over an edge make of a wave number, and half the derivative of its square.
double difference(double k, double edge) { return edge > 0 ? 2 / edge * std::sin(k * edge / 2) : k; }
double half_slope(double k, double edge) { return edge > 0 ? std::sin(k * edge) / edge : k; }

/// sum_i K_i^2 and half its derivative by kappa.
std::array<double, 2> left_side(const Grid& g, const WaveFamily& f, double kappa) {
  double sum = 0, slope = 0;
  for (int a = 0; a < 3; ++a) {
    const double k = f.fixed[a] + kappa * f.along[a], edge = edge_of(g, f, a), s = difference(k, edge);
    sum += s * s;
    slope += f.along[a] * half_slope(k, edge);
  }
  return {sum, slope};
}

/// Newton's steps kept inside a bracket; left_side rises from kappa = 0 to the bracket's end.
double solve(const Grid& g, const WaveFamily& f, double target, double end) {
  double lo = 0, hi = end, kappa = std::min(std::sqrt(target), 0.9 * end);
  for (int i = 0; i < 100; ++i) {
    const auto [sum, slope] = left_side(g, f, kappa);
    (sum > target ? hi : lo) = kappa;
    double next = kappa - (sum - target) / (2 * slope);
    if (!(next > lo && next < hi)) next = (lo + hi) / 2;
    if (std::abs(next - kappa) <= 4e-16 * end) return next;
    kappa = next;
  }
  return kappa;
}

}  // namespace

double squared_difference(double k_dx) { return 4 * std::pow(std::sin(k_dx / 2), 2); }

double cutoff_on_grid(const Grid& g, const WaveFamily& f) {
  double sum = 0;
  if (g.graded()) {
    for (int a = 0; a < 3; ++a) sum += std::pow(difference(f.fixed[a], f.edge[a]), 2);
    return 2 / g.dt * std::asin(std::min(1.0, g.dt / 2 * std::sqrt(sum / (f.eps * f.mu))));
  }
  for (const double k : f.fixed) sum += squared_difference(k * g.dx);
  return 2 / g.dt * std::asin(std::min(1.0, g.dt / (2 * g.dx) * std::sqrt(sum / (f.eps * f.mu))));
}

GridWave grid_wave(const Grid& g, const WaveFamily& f, double w) {
  GridWave wave;
  wave.Omega = 2 / g.dt * std::sin(w * g.dt / 2);
  const double target = f.eps * f.mu * wave.Omega * wave.Omega;
  double steepest = 0;
  for (int a = 0; a < 3; ++a)
    if (g.graded()) {
      // without dispersion the left side rises for ever: twice what the target asks for is beyond it
      const double fastest = f.edge[a] > 0 ? f.edge[a] : pi / (2 * std::sqrt(std::max(target, 1e-300)));
      steepest = std::max(steepest, std::abs(f.along[a]) * fastest);
    } else {
      steepest = std::max(steepest, std::abs(f.along[a]));
    }
  const double end = pi / (g.graded() ? steepest : g.dx * steepest);
  if (!(target > left_side(g, f, 0)[0]) || target >= left_side(g, f, end)[0]) return wave;
  wave.travels = true;
  wave.kappa = solve(g, f, target, end);
  wave.rate = f.eps * f.mu * std::abs(std::sin(w * g.dt)) / g.dt / left_side(g, f, wave.kappa)[1];
  if (w < 0) wave.kappa = -wave.kappa;
  for (int a = 0; a < 3; ++a) wave.K[a] = difference(f.fixed[a] + wave.kappa * f.along[a], edge_of(g, f, a));
  return wave;
}

}  // namespace umov::fdtd
