// A cell with open ends between absorbing planes: what pseudo-time takes over where the layered inverse ends.
#pragma once

#include <vector>

#include "harmonic/problem.hpp"

namespace umov::harmonic {

/// The absorbing planes are a wavelength of their half space deep, at least 12. Fields are those of the open
/// cell but for what these planes send back (end_reflection) and for the grid's own dispersion beyond the
/// ends, which open ends do not have (OpenEnd).
class AbsorbingEnds {
 public:
  explicit AbsorbingEnds(const Problem& open);
  const Problem& problem() const { return problem_; }

  /// A layered field [3][nz] with as many planes as the cell has now; those added are 0.
  std::vector<cplx> extended(const std::vector<cplx>& layered) const;
  /// Fields of the open cell, gone on into the absorbing planes; none stay none.
  Fields extended(const std::vector<cplx>& layered, const Fields&) const;
  /// Without the absorbing planes.
  Fields cut(const Fields&) const;

 private:
  Problem problem_;
  int above_ = 0, nz_ = 0;  ///< planes added above; planes of the open cell
};

}  // namespace umov::harmonic
