#include "dda/observables/internal_field.hpp"

#include <stdexcept>

namespace umov::dda {

namespace {

/// Number of the first dipole of each z slice.
std::vector<std::size_t> slice_starts(const shapes::Particle& particle) {
  const int slices = particle.box[2];
  const std::size_t area = std::size_t(particle.box[0]) * particle.box[1];
  std::vector<std::size_t> starts(slices + 1, 0);
#pragma omp parallel for schedule(static)
  for (int z = 0; z < slices; ++z) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < area; ++i) n += particle.material[z * area + i] != 0;
    starts[z + 1] = n;
  }
  for (int z = 0; z < slices; ++z) starts[z + 1] += starts[z];
  return starts;
}

/// a * b for finite numbers: C++'s own product asks about infinities.
cplx product(const cplx& a, const cplx& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

std::vector<CVec3> internal_field(std::vector<CVec3> polarization, const shapes::Particle& particle,
                                  const std::vector<CVec3>& m) {
  std::vector<CVec3> factors(m.size());
  for (std::size_t i = 0; i < m.size(); ++i)
    for (int c = 0; c < 3; ++c)
      factors[i][c] = 4 * pi / (particle.dipole_volume() * (m[i][c] * m[i][c] - 1.0));
  const auto starts = slice_starts(particle);
  if (polarization.size() != starts.back() || int(m.size()) < particle.materials)
    throw std::logic_error("polarizations or indices of another particle");
  const std::size_t area = std::size_t(particle.box[0]) * particle.box[1];
#pragma omp parallel for schedule(static)
  for (int z = 0; z < particle.box[2]; ++z) {
    std::size_t dipole = starts[z];
    for (std::size_t i = z * area; i < (z + 1) * area; ++i) {
      if (particle.material[i] == 0) continue;
      const CVec3& factor = factors[particle.material[i] - 1];
      CVec3& field = polarization[dipole++];
      for (int c = 0; c < 3; ++c) field[c] = product(field[c], factor[c]);
    }
  }
  return polarization;
}

}  // namespace umov::dda
