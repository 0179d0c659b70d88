// Angles that ddscat.par stands for: orientations of the target with their weights, scattering directions.
#include <algorithm>
#include <cmath>

#include "dda/ddscat/parameters.hpp"

namespace umov::dda::ddscat {

namespace {

/// Middles of `n` equal intervals.
std::vector<double> middles(double first, double last, int n) {
  std::vector<double> out;
  for (int i = 0; i < n; ++i) out.push_back(first + (last - first) * (i + 0.5) / n);
  return out;
}

}  // namespace

Orientations orientations(const Parameters& p) {
  Orientations o;
  o.beta = middles(p.beta.first, p.beta.last, p.beta.count);
  o.phi = middles(p.phi.first, p.phi.last, p.phi.count);
  o.beta_weight.assign(o.beta.size(), 1.0 / p.beta.count);
  o.phi_weight.assign(o.phi.size(), 1.0 / p.phi.count);
  const int n = p.theta.count;
  const double c0 = std::cos(p.theta.first * pi / 180), c1 = std::cos(p.theta.last * pi / 180);
  const bool simpson = n > 1 && n % 2 == 1;
  const auto angle = [](double cosine) { return std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / pi; };
  if (simpson) {
    for (int i = 0; i < n; ++i) {
      o.theta.push_back(angle(c0 + (c1 - c0) * i / (n - 1)));
      const double weight = i == 0 || i == n - 1 ? 1 : i % 2 == 1 ? 4 : 2;
      o.theta_weight.push_back(weight / (3.0 * (n - 1)));
    }
    o.theta.front() = p.theta.first;
    o.theta.back() = p.theta.last;
  } else {
    for (const double c : middles(c0, c1, n)) o.theta.push_back(angle(c));
    o.theta_weight.assign(o.theta.size(), 1.0 / n);
    if (n == 1 && p.theta.first == p.theta.last) o.theta = {p.theta.first};
  }
  return o;
}

std::vector<std::array<double, 2>> plane_directions(const Parameters& p) {
  std::vector<std::array<double, 2>> out;
  for (const ScatteringPlane& plane : p.planes) {
    const double span = plane.last - plane.first;
    const long n = span == 0 ? 1 : 1 + std::lround(std::abs(span) / plane.step);
    const double step = span < 0 ? -plane.step : plane.step;
    for (long i = 0; i < n; ++i)
      out.push_back({i > 0 && i == n - 1 ? plane.last : plane.first + double(i) * step, plane.phi});
  }
  return out;
}

}  // namespace umov::dda::ddscat
