// Flat stacks solved exactly: plane waves through layers of complex refractive index, s and p, any angle.
#include "layers/transfer_matrix.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace umov::layers {

namespace {

void require_passive(cplx permittivity, const char* what) {
  if (!(permittivity.imag() >= 0) || permittivity == cplx(0))
    throw BadInput(fmt::format(
        "the permittivity of {} is {:g}{:+g}i (Im >= 0 absorbs, and 0 has no waves); give n and k "
        ">= 0, not both 0",
        what, permittivity.real(), permittivity.imag()));
}

void require_valid(const FlatStack& stack, double wavelength, double angle) {
  if (!(wavelength > 0))
    throw BadInput(fmt::format("the wavelength is {:g} um (it must be above 0)", wavelength));
  if (!(angle >= 0 && angle < pi / 2))
    throw BadInput(
        fmt::format("the angle of incidence is {:g} degrees (0 is along the normal, 90 along the layers); "
                    "give one of at least 0 and below 90",
                    angle * 180 / pi));
  if (!(stack.superstrate > 0))
    throw BadInput(
        fmt::format("the permittivity of the superstrate is {:g} (a plane wave must reach the cell through "
                    "it); give one above 0",
                    stack.superstrate));
  for (const auto& layer : stack.layers) {
    if (!(layer.thickness > 0))
      throw BadInput(fmt::format("a layer is {:g} um thick (it must be above 0)", layer.thickness));
    require_passive(layer.permittivity, "a layer");
  }
  require_passive(stack.substrate, "the substrate");
}

}  // namespace

double FlatResponse::sum() const {
  double all = reflection + transmission;
  for (const double a : absorption) all += a;
  return all;
}

FlatWaves::FlatWaves(const FlatStack& stack, double wavelength, double angle, Polarization polarization)
    : polarization_(polarization) {
  require_valid(stack, wavelength, angle);
  k0_ = 2 * pi / wavelength;
  kx_ = k0_ * std::sqrt(stack.superstrate) * std::sin(angle);
  const auto add = [&](cplx permittivity, double thickness) {
    // adding +0 makes the imaginary part of a lossless medium +0: the root of an evanescent wave then decays
    const cplx kz = std::sqrt(k0_ * k0_ * permittivity - kx_ * kx_ + cplx(0, 0));
    media_.push_back({permittivity, kz, kz / k0_ / (polarization == Polarization::p ? permittivity : cplx(1)),
                      0, 0, thickness});
  };
  add(stack.superstrate, 0);
  for (const auto& layer : stack.layers) add(layer.permittivity, layer.thickness);
  add(stack.substrate, 0);

  // reflection seen at the bottom of medium j, from the substrate up
  const std::size_t last = media_.size() - 1;
  std::vector<cplx> seen(last), own(last);
  cplx from_below = 0;  // of the medium below, at its top
  for (std::size_t j = last; j-- > 0;) {
    const cplx a = media_[j].admittance, b = media_[j + 1].admittance;
    own[j] = (a - b) / (a + b);
    seen[j] = (own[j] + from_below) / (1.0 + own[j] * from_below);
    from_below = seen[j] * std::exp(2.0 * i_unit * media_[j].kz * media_[j].thickness);
  }
  // amplitudes, from the superstrate down; the wave that goes up is counted where it is largest, at the
  // bottom
  media_[0].down = 1;
  for (std::size_t j = 0; j < last; ++j) {
    const cplx at_bottom = media_[j].down * std::exp(i_unit * media_[j].kz * media_[j].thickness);
    media_[j].up = seen[j] * at_bottom;
    const cplx back = j + 1 < last
                          ? seen[j + 1] * std::exp(2.0 * i_unit * media_[j + 1].kz * media_[j + 1].thickness)
                          : cplx(0);
    media_[j + 1].down = at_bottom * (1.0 + own[j]) / (1.0 + own[j] * back);
  }
}

FlatWaves::Tangential FlatWaves::at(const Medium& m, double z) const {
  const cplx down = m.down * std::exp(i_unit * m.kz * z),
             up = m.up == 0.0 ? 0 : m.up * std::exp(i_unit * m.kz * (m.thickness - z));
  return {down + up, m.admittance * (down - up)};
}

double FlatWaves::flux(const Medium& m, double z) const {
  const Tangential t = at(m, z);
  return std::real(t.field * std::conj(t.partner)) / media_[0].admittance.real();
}

FlatResponse FlatWaves::response() const {
  FlatResponse out;
  out.amplitude = media_[0].up;
  out.reflection = std::norm(out.amplitude);
  for (std::size_t j = 1; j + 1 < media_.size(); ++j)
    out.absorption.push_back(flux(media_[j], 0) - flux(media_[j], media_[j].thickness));
  out.transmission = flux(media_.back(), 0);
  return out;
}

double FlatWaves::intensity(std::size_t layer, double z) const {
  const Medium& m = media_.at(layer + 1);
  const Tangential t = at(m, z);
  if (polarization_ == Polarization::s) return std::norm(t.field);
  const double normal = std::norm(t.field * kx_ / (k0_ * m.permittivity));
  return (std::norm(t.partner) + normal) * media_[0].permittivity.real();  // the incident |H|^2 is eps |E|^2
}

double FlatWaves::absorption_density(std::size_t layer, double z) const {
  // div S = -k0 Im(eps) |E|^2; incident: |E|^2 = 1 and S = sqrt(eps) cos(angle)
  const double incident = media_[0].kz.real() / k0_;
  return k0_ * media_.at(layer + 1).permittivity.imag() * intensity(layer, z) / incident;
}

FlatResponse flat_response(const FlatStack& stack, double wavelength, double angle,
                           Polarization polarization) {
  return FlatWaves(stack, wavelength, angle, polarization).response();
}

}  // namespace umov::layers
