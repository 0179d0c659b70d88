// Permittivity of a material from its constants and poles, its change of units, and where its data hold.
#include "materials/material.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace umov::materials {

namespace {

cplx susceptibility(const Pole& p, double w) {
  switch (p.kind) {
    case Pole::Kind::drude:
      return -p.strength / cplx(w * w, p.gamma * w);
    case Pole::Kind::lorentz:
      return p.strength * p.omega * p.omega / cplx(p.omega * p.omega - w * w, -p.gamma * w);
    case Pole::Kind::debye:
      return p.strength / cplx(1, -w * p.tau);
  }
  return 0;
}

/// Frequency around which a pole changes most; 0 for a lossless Drude term, which has no such place.
double characteristic_frequency(const Pole& p) {
  switch (p.kind) {
    case Pole::Kind::drude:
      return p.gamma;
    case Pole::Kind::lorentz:
      return p.omega;
    case Pole::Kind::debye:
      return p.tau > 0 ? 1 / p.tau : 0;
  }
  return 0;
}

}  // namespace

cplx Material::permittivity(double w, int axis) const {
  if (perfect_conductor)
    throw BadInput(fmt::format(
        "'{}' has no permittivity (it is a perfect conductor: E = 0 inside); name a metal instead", name));
  cplx sum(eps[std::size_t(axis)], sigma[std::size_t(axis)] / w);
  for (const auto& pole : poles) sum += susceptibility(pole, w);
  return sum;
}

Material scaled_to(const Material& physical, double unit_um) {
  if (!(unit_um > 0) || !std::isfinite(unit_um))
    throw BadInput(
        fmt::format("a length unit of {} um (it must be positive); give its length in um", unit_um));
  const double factor = unit_um / light_um_per_fs;  // w [rad/fs] * factor = w [c / unit]
  Material scaled = physical;
  for (auto& p : scaled.poles) {
    if (p.kind == Pole::Kind::drude) p.strength *= factor * factor;  // wp^2; the others' are pure numbers
    p.omega *= factor;
    p.gamma *= factor;
    p.tau /= factor;
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    scaled.sigma[axis] *= factor;
    scaled.sigma_magnetic[axis] *= factor;
  }
  return scaled;
}

cplx refractive_index(const Material& m, double wavelength_um, int axis) {
  const double w = angular_frequency(wavelength_um);
  const cplx mu(m.mu[std::size_t(axis)], m.sigma_magnetic[std::size_t(axis)] / w);
  // Both roots in the upper half plane, so that their product has n > 0 for eps, mu > 0 and decays for loss.
  return std::sqrt(m.permittivity(w, axis)) * std::sqrt(mu);
}

bool passive(const Material& m) {
  if (m.perfect_conductor) return true;
  const auto negative = [](double x) { return x < 0; };
  if (std::ranges::any_of(m.sigma, negative) || std::ranges::any_of(m.sigma_magnetic, negative)) return false;
  if (std::ranges::any_of(
          m.poles, [](const Pole& p) { return p.gamma < 0 || p.tau < 0 || !std::isfinite(p.strength); }))
    return false;
  if (std::ranges::none_of(m.poles, [](const Pole& p) { return p.strength < 0; })) return true;
  double low = 1e300, high = 0;
  for (const auto& p : m.poles) {
    const double w = characteristic_frequency(p);
    if (w > 0) low = std::min(low, w);
    high = std::max(high, w);
  }
  if (high == 0) return false;  // only lossless Drude terms, one of them negative
  low *= 1e-4;
  high *= 1e4;
  constexpr int samples = 4000;
  for (int i = 0; i <= samples; ++i) {
    const double w = low * std::pow(high / low, double(i) / samples);
    for (int axis = 0; axis < 3; ++axis) {
      const double loss = m.permittivity(w, axis).imag();
      if (!(loss >= 0)) return false;
    }
  }
  return true;
}

std::string check_range(const Material& m, double shortest_um, double longest_um) {
  if (!m.range_um) return "";
  const auto [low, high] = *m.range_um;
  // A wavelength that was divided and multiplied on its way here may miss the edge by rounding.
  constexpr double slack = 1e-9;
  if (shortest_um >= low * (1 - slack) && longest_um <= high * (1 + slack)) return "";
  const std::string asked = shortest_um == longest_um
                                ? fmt::format("{:.4g} um", shortest_um)
                                : fmt::format("{:.4g} to {:.4g} um", shortest_um, longest_um);
  return fmt::format("material '{}' at {} (its data hold from {:.4g} to {:.4g} um: {})", m.name, asked, low,
                     high, m.source);
}

}  // namespace umov::materials
