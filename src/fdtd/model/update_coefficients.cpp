#include "fdtd/model/update_coefficients.hpp"

#include <algorithm>

namespace umov::fdtd {
namespace {

using materials::Material;
using materials::Pole;

double debye_b(const Pole& p, double dt) { return p.strength * dt / (2 * p.tau + dt); }
double debye_a(const Pole& p, double dt) { return (2 * p.tau - dt) / (2 * p.tau + dt); }

double debye_at_once(const Material& m, double dt) {
  double sum = 0;
  for (const auto& p : m.poles)
    if (p.kind == Pole::Kind::debye) sum += debye_b(p, dt);
  return sum;
}

}  // namespace

double permittivity_within_step(const Material& m, int axis, double dt) {
  return debye_at_once(m, dt) + m.sigma[axis] * dt / 2;
}

bool quick(const Material& m, double dt) {
  constexpr double most = 1;
  return std::max({permittivity_within_step(m, 0, dt), permittivity_within_step(m, 1, dt),
                   permittivity_within_step(m, 2, dt)}) > most;
}

std::vector<Material> as_within_step(std::vector<Material> list, double dt) {
  for (Material& m : list)
    for (int a = 0; a < 3; ++a) {
      m.eps[a] += permittivity_within_step(m, a, dt);
      m.sigma[a] = 0;
    }
  return list;
}

Coefficients plain_coefficients(double inverse, double sigma, const Grid& g) {
  const double s = sigma * g.dt / 2 * inverse;
  return {(1 - s) / (1 + s), g.dt / g.dx * inverse / (1 + s)};
}

Coefficients material_coefficients(const Material& m, int component, const Grid& g) {
  if (m.perfect_conductor && is_electric(component)) return {0, 0};
  const int a = axis_of(component);
  if (!is_electric(component)) return plain_coefficients(1 / m.mu[a], m.sigma_magnetic[a], g);
  const double b = debye_at_once(m, g.dt), half = m.sigma[a] * g.dt / 2;
  if (b == 0) return plain_coefficients(1 / m.eps[a], m.sigma[a], g);
  const double below = m.eps[a] + b + half;
  return {(m.eps[a] - b - half) / below, g.dt / g.dx / below};
}

std::vector<PoleTerm> pole_terms(const Material& m, int component, const Grid& g) {
  const int axis = axis_of(component);
  const double below = m.eps[axis] + m.sigma[axis] * g.dt / 2 + debye_at_once(m, g.dt);
  std::vector<PoleTerm> terms;
  for (const auto& p : m.poles) {
    if (p.kind == Pole::Kind::debye) {
      const double a = debye_a(p, g.dt);
      terms.push_back({true, a, debye_b(p, g.dt), 0, (1 - a) / below});
      continue;
    }
    const bool drude = p.kind == Pole::Kind::drude;
    const double w2 = drude ? 0 : p.omega * p.omega, s = drude ? p.strength : p.strength * w2;
    const double loss = p.gamma * g.dt / 2;
    terms.push_back(
        {false, (1 - loss) / (1 + loss), s * g.dt / (1 + loss), w2 * g.dt / (1 + loss), g.dt / below});
  }
  return terms;
}

std::vector<PoleTerm> memory_terms(const Material& m, int axis, const Grid& g) {
  std::vector<PoleTerm> terms = pole_terms(m, axis, g);
  // q' = q + sigma dt / 2 (E' + E): a Debye term that never relaxes.
  if (m.sigma[axis] > 0) terms.push_back({true, 1, m.sigma[axis] * g.dt / 2, 0, 0});
  return terms;
}

}  // namespace umov::fdtd
