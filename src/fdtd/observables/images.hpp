// Mirror images of a far-field surface that reaches through symmetry planes.
#pragma once

#include "fdtd/observables/far_field.hpp"

namespace umov::fdtd {

/// Reflections of a test wave in symmetry planes at 0, with the sign of the field's symmetry: an even plane
/// (tangential E even) adds what the mirrored wave sees of the computed part, an odd one subtracts it.
struct Image {
  Vec3 flip{1, 1, 1};
  double sign = 1;

  FarWave of(FarWave) const;
};

/// The computed part itself and its images: as many as the region has copies.
std::vector<Image> images_of(const Region&, const Simulation&);

}  // namespace umov::fdtd
