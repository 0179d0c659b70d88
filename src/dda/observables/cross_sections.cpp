// Optical theorem, absorption by dipoles, and integrals over the sphere of directions.
#include "dda/observables/cross_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace umov::dda {
namespace {

/// |f|^2 on the grid of both angles, theta the slow index.
std::vector<double> intensity(const FarFieldSums& sums, const FarFieldScale& scale, const BeamFrame& frame,
                              const std::vector<double>& theta, const std::vector<double>& phi) {
  ScatteringGrid grid;
  grid.theta = theta;
  grid.phi = phi;
  const auto f = observed_amplitudes(sums, scale, frame, observe_grid(frame, grid));
  std::vector<double> out(f.size());
  for (std::size_t i = 0; i < f.size(); ++i) {
    out[i] = std::norm(f[i][0]) + std::norm(f[i][1]) + std::norm(f[i][2]);
  }
  return out;
}

/// Direction cosine `axis` of a direction. At theta = 180 the transverse ones are set to zero exactly, else
/// rounding makes the relative error of the integral look large.
double direction_cosine(int axis, double theta, double phi) {
  if (axis == 2) return std::cos(theta * degree);
  if (theta == 180) return 0;
  return std::sin(theta * degree) * (axis == 0 ? std::cos(phi * degree) : std::sin(phi * degree));
}

/// Integrals over all directions of |f|^2 and of it times each direction cosine.
struct Moments {
  double total = 0;
  Vec3 along{0, 0, 0};
};
Moments moments_by(const SphereRule& rule, const FarFieldSums& sums, const FarFieldScale& scale,
                   const BeamFrame& frame) {
  const std::vector<double> f2 = intensity(sums, scale, frame, rule.theta, rule.phi);
  const double factor = 4 * pi / (scale.wavenumber * scale.wavenumber) / double(rule.phi.size());
  Moments m;
  for (std::size_t t = 0; t < rule.theta.size(); ++t)
    for (std::size_t p = 0; p < rule.phi.size(); ++p) {
      const double part = factor * rule.weight[t] * f2[t * rule.phi.size() + p];
      m.total += part;
      for (int axis = 0; axis < 3; ++axis)
        m.along[axis] += part * direction_cosine(axis, rule.theta[t], rule.phi[p]);
    }
  return m;
}

IntegrationLog log_of(const std::string& name, char label, const CheckedRule& rules, double value,
                      double check) {
  const auto line = [](const SphereRule& rule, double integral) {
    return fmt::format("{:<24}{:>7}{:>7}{:>9}  {:.10g}\n", "Gauss-Legendre x circle", rule.theta.size(),
                       rule.phi.size(), rule.degree, integral);
  };
  return {fmt::format("log_int_{}-{}", name, label),
          fmt::format("{:<24}{:>7}{:>7}{:>9}  integral [um^2]\n", "rule", "theta", "phi", "exact to") +
              line(rules.rule, value) + line(rules.check, check)};
}

}  // namespace

double extinction_forward(const FarFieldScale& scale, const Vec3& prop, const Vec3& e0, const CVec3& sum) {
  const CVec3 f = scattering_amplitude(scale, prop, sum);
  return 4 * pi / (scale.wavenumber * scale.wavenumber) * dot(f, e0).real();
}

bool extinction_is_forward(const Beam& beam) {
  return beam.kind == BeamKind::plane && beam.center == Vec3{0, 0, 0};
}

double extinction_from_sum(const FarFieldScale& scale, const Vec3& prop, cplx extinction_sum) {
  return 4 * pi * scale.wavenumber * extinction_sum.imag() * voxel_form_factor(scale, prop);
}

std::vector<Vec3> absorption_multipliers(ScatteringFormula formula, double k, double volume,
                                         std::span<const CVec3> alpha, std::span<const CVec3> m) {
  std::vector<Vec3> out(alpha.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (int c = 0; c < 3; ++c) {
      if (formula == ScatteringFormula::finite_dipole) {
        const cplx chi = (m[i][c] * m[i][c] - 1.0) / (4 * pi);
        out[i][c] = -(1.0 / (volume * chi)).imag();
      } else {
        out[i][c] = -(1.0 / alpha[i][c]).imag() - 2 * k * k * k / 3;
      }
    }
  }
  return out;
}

double absorption(double wavenumber, std::span<const Vec3> multipliers, std::span<const Vec3> norms) {
  double sum = 0;
  for (std::size_t i = 0; i < norms.size(); ++i) sum += dot(multipliers[i], norms[i]);
  return 4 * pi * wavenumber * sum;
}

void drop_rounding(std::span<Vec3> multipliers, std::span<const CVec3> alpha) {
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  for (std::size_t i = 0; i < multipliers.size(); ++i)
    for (int c = 0; c < 3; ++c)
      if (std::abs(multipliers[i][c]) <= rounding / std::abs(alpha[i][c])) multipliers[i][c] = 0;
}

double extinction_bound(double k, std::span<const CVec3> alpha, std::span<const Vec3> norms,
                        std::span<const Vec3> incident, double residual) {
  double xx = 0, bb = 0;
  for (std::size_t i = 0; i < norms.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      const double a = std::abs(alpha[i][c]);
      xx += norms[i][c] / a;
      bb += incident[i][c] * a;
    }
  return 4 * pi * k * std::sqrt(xx) * std::sqrt(bb) * residual;
}

DecayRates decay_rates(double k, std::span<const CVec3> p, std::span<const CVec3> incident, double cabs) {
  cplx work = 0;
  for (std::size_t j = 0; j < p.size(); ++j) {
    for (int c = 0; c < 3; ++c) work += p[j][c] * incident[j][c];
  }
  const double free_space = 8 * pi / (3 * k * k);  // cross section of the lone dipole
  DecayRates rates;
  rates.total = 1 + 4 * pi * k * work.imag() / free_space;
  rates.nonradiative = cabs / free_space;
  rates.radiative = rates.total - rates.nonradiative;
  return rates;
}

double efficiency(double cross_section, double eq_radius) {
  return cross_section / (pi * eq_radius * eq_radius);
}

ScatteringIntegrals integrate_scattering(const FarFieldSums& sums, const FarFieldScale& scale,
                                         const BeamFrame& frame, const AllDirections& d, bool csca,
                                         bool moments, char label) {
  ScatteringIntegrals out;
  const std::vector<double> f2 = intensity(sums, scale, frame, d.theta.values, d.phi.values);
  const std::size_t columns = d.phi.values.size();
  const double factor = 4 * pi / (scale.wavenumber * scale.wavenumber);
  Romberg2dRequest request;
  request.outer = d.theta.axis;
  request.inner = d.phi.axis;
  double largest = 0;
  auto integrate = [&](const std::string& name, auto weight, bool logged = true) {
    auto result = romberg_average_2d(request, [&](std::size_t t, std::size_t p, std::span<double> value) {
      value[0] = f2[t * columns + p] * weight(d.theta.values[t], d.phi.values[p]);
    });
    if (logged) out.logs.push_back({fmt::format("log_int_{}-{}", name, label), std::move(result.log)});
    largest = std::max(largest, factor * result.absolute_errors[0]);
    return factor * result.value[0];
  };
  out.total = integrate(
      "Csca", [](double, double) { return 1.0; }, csca);
  if (csca) out.csca = out.total;
  if (moments) {
    Vec3 g;
    for (int axis = 0; axis < 3; ++axis) {
      g[axis] = integrate(fmt::format("asym_{}", "xyz"[axis]),
                          [axis](double theta, double phi) { return direction_cosine(axis, theta, phi); });
    }
    out.csca_g = g;
  }
  if (out.total > 0) out.error = largest / out.total;
  return out;
}

ScatteringIntegrals integrate_scattering(const FarFieldSums& sums, const FarFieldScale& scale,
                                         const BeamFrame& frame, const CheckedRule& rules, bool csca,
                                         bool moments, char label) {
  ScatteringIntegrals out;
  const Moments by_rule = moments_by(rules.rule, sums, scale, frame),
                by_check = moments_by(rules.check, sums, scale, frame);
  double largest = std::abs(by_rule.total - by_check.total);
  out.total = by_rule.total;
  if (csca) {
    out.csca = out.total;
    out.logs.push_back(log_of("Csca", label, rules, by_rule.total, by_check.total));
  }
  if (moments) {
    out.csca_g = by_rule.along;
    for (int axis = 0; axis < 3; ++axis) {
      const double value = by_rule.along[axis], check = by_check.along[axis];
      largest = std::max(largest, std::abs(value - check));
      out.logs.push_back(log_of(fmt::format("asym_{}", "xyz"[axis]), label, rules, value, check));
    }
  }
  if (out.total > 0) out.error = largest / out.total;
  return out;
}

}  // namespace umov::dda
