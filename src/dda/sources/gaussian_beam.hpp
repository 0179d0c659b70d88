// Gaussian beams in their own frame: z along the propagation, x along the polarization.
#pragma once

#include "core/types.hpp"

namespace umov::dda::sources {

enum class GaussianOrder { lminus, davis3, barton5 };

/// A Gaussian beam of unit amplitude at its focus, the origin.
class GaussianBeam {
 public:
  /// @param wavenumber k (1/um)  @param waist w0 (um); the confinement factor is s = 1/(k w0)
  GaussianBeam(GaussianOrder order, double wavenumber, double waist)
      : order_(order), k_(wavenumber), w0_(waist), s_(1 / (wavenumber * waist)) {}

  /// Field at r (um): components along the polarization, across it, and along the propagation.
  CVec3 field(const Vec3& r) const;

 private:
  GaussianOrder order_;
  double k_, w0_, s_;
};

}  // namespace umov::dda::sources
