// The field inside the dipoles, from their polarizations.
#pragma once

#include <span>
#include <vector>

#include "core/types.hpp"
#include "shapes/particle.hpp"

namespace umov::dda {

/// From polarizations to fields, some dipoles at a time.
class InternalField {
 public:
  /// `m` holds the index of each material.
  InternalField(const shapes::Particle&, const std::vector<CVec3>& m);
  /// Polarizations (um^3) of the dipoles on `sites`, some of the particle's one behind another, become their
  /// fields.
  void apply(std::span<const std::uint8_t> sites, std::span<CVec3> field) const;

 private:
  std::vector<CVec3> factors_;
};

/// E = P / (V chi) with chi = (m^2 - 1) / (4 pi) (Yurkin and Hoekstra 2007, J. Quant. Spectrosc. Radiat.
/// Transfer 106, 558, eq. 8): one vector per dipole, in units of the incident field. `m` holds the index of
/// each material, `polarization` one vector per dipole (um^3).
std::vector<CVec3> internal_field(std::span<const CVec3> polarization, const shapes::Particle&,
                                  const std::vector<CVec3>& m);

}  // namespace umov::dda
