#include "dda/observables/internal_field.hpp"

namespace umov::dda {

std::vector<CVec3> internal_field(std::vector<CVec3> polarization, const shapes::Particle& particle,
                                  const std::vector<CVec3>& m) {
  std::size_t i = 0;
  for (const auto material : particle.material) {
    if (material == 0) continue;
    for (int c = 0; c < 3; ++c) {
      const cplx index = m.at(material - 1)[c];
      polarization.at(i)[c] /= particle.dipole_volume() * (index * index - 1.0) / (4 * pi);
    }
    ++i;
  }
  return polarization;
}

}  // namespace umov::dda
