// A preconditioner of the dipole system, as the engines are told of it.
#pragma once

#include <string>

#include "core/types.hpp"
#include "dda/choices.hpp"

namespace umov::dda {

/// An approximate inverse of I - S G S: S^-1 K S^-1, with K the inverse of a lattice of one reference
/// material without a surface. medium: of the infinite lattice; circulant: of the periodic one, whose
/// interaction is Chan's mean of G over the lags that the period identifies.
struct Preconditioner {
  PreconditionerKind kind = PreconditionerKind::none;
  CVec3 inverse_alpha{};  ///< of the reference, at the damped wavenumber (1/um^3)
  double damping = 0;     ///< k (1 + i damping) is the wavenumber of the set-up
  double growth = 0;      ///< K is multiplied by exp(growth r), which takes that damping back (1/um)
  Vec3 reach{0, 0, 0};    ///< semi-axes of the ellipsoid in which dipoles of the medium interact (um)
  /// Iterations that must bring a tenth of the residual; else the next of a list has its turn. At least 60,
  /// and two for each dipole along the longest edge.
  long patience = 0;
  std::string name;  ///< in words

  bool operator==(const Preconditioner&) const = default;
};

}  // namespace umov::dda
