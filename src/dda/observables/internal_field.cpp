#include "dda/observables/internal_field.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/large_memory.hpp"

namespace umov::dda {

namespace {

/// a * b for finite numbers: C++'s own product asks about infinities.
cplx product(const cplx& a, const cplx& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

InternalField::InternalField(const shapes::Particle& particle, const std::vector<CVec3>& m)
    : factors_(m.size()) {
  if (int(m.size()) < particle.materials) throw std::logic_error("indices of another particle");
  for (std::size_t i = 0; i < m.size(); ++i)
    for (int c = 0; c < 3; ++c)
      factors_[i][c] = 4 * pi / (particle.dipole_volume() * (m[i][c] * m[i][c] - 1.0));
}

void InternalField::apply(std::span<const std::uint8_t> sites, std::span<CVec3> field) const {
  std::size_t dipole = 0;
  for (const std::uint8_t material : sites) {
    if (material == 0) continue;
    const CVec3& factor = factors_[material - 1u];
    CVec3& e = field[dipole++];
    for (int c = 0; c < 3; ++c) e[c] = product(e[c], factor[c]);
  }
}

std::vector<CVec3> internal_field(std::span<const CVec3> polarization, const shapes::Particle& particle,
                                  const std::vector<CVec3>& m) {
  const InternalField internal(particle, m);
  const auto below = shapes::dipoles_below(particle);
  if (polarization.size() != below.back()) throw std::logic_error("polarizations of another particle");
  std::vector<CVec3> field;
  resize_large(field, polarization.size());
  const std::size_t area = std::size_t(particle.box[0]) * std::size_t(particle.box[1]);
#pragma omp parallel for schedule(static)
  for (int z = 0; z < particle.box[2]; ++z) {
    const std::size_t first = below[std::size_t(z)], count = below[std::size_t(z) + 1] - first;
    const auto plane = std::span(field).subspan(first, count);
    std::ranges::copy(polarization.subspan(first, count), plane.begin());
    internal.apply({particle.material.data() + std::size_t(z) * area, area}, plane);
  }
  return field;
}

}  // namespace umov::dda
