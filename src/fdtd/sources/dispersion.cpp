// The Yee dispersion relation solved for the wave number.
#include "fdtd/sources/dispersion.hpp"

#include <algorithm>

namespace umov::fdtd {
namespace {

/// sum_i K_i^2 and half its derivative by kappa.
std::array<double, 2> left_side(const Grid& g, const WaveFamily& f, double kappa) {
  double sum = 0, slope = 0;
  for (int a = 0; a < 3; ++a) {
    const double k = f.fixed[a] + kappa * f.along[a], s = 2 / g.dx * std::sin(k * g.dx / 2);
    sum += s * s;
    slope += f.along[a] * std::sin(k * g.dx) / g.dx;
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
  for (const double k : f.fixed) sum += squared_difference(k * g.dx);
  return 2 / g.dt * std::asin(std::min(1.0, g.dt / (2 * g.dx) * std::sqrt(sum / (f.eps * f.mu))));
}

GridWave grid_wave(const Grid& g, const WaveFamily& f, double w) {
  GridWave wave;
  wave.Omega = 2 / g.dt * std::sin(w * g.dt / 2);
  const double target = f.eps * f.mu * wave.Omega * wave.Omega;
  const double steepest = std::max({std::abs(f.along[0]), std::abs(f.along[1]), std::abs(f.along[2])});
  const double end = pi / (g.dx * steepest);
  if (!(target > left_side(g, f, 0)[0]) || target >= left_side(g, f, end)[0]) return wave;
  wave.travels = true;
  wave.kappa = solve(g, f, target, end);
  wave.rate = f.eps * f.mu * std::abs(std::sin(w * g.dt)) / g.dt / left_side(g, f, wave.kappa)[1];
  if (w < 0) wave.kappa = -wave.kappa;
  for (int a = 0; a < 3; ++a)
    wave.K[a] = 2 / g.dx * std::sin((f.fixed[a] + wave.kappa * f.along[a]) * g.dx / 2);
  return wave;
}

}  // namespace umov::fdtd
