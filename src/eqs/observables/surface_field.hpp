// The field on both sides of a named surface.
#pragma once

#include <array>
#include <vector>

#include "eqs/observables/sampler.hpp"
#include "eqs/outcome.hpp"

namespace umov::eqs {

/// One surface's triangles with the elements at them, found once and evaluated at every saved time.
class SurfaceField {
 public:
  /// Throws BadInput when the mesh has no such group, with the names of those it has.
  SurfaceField(const SurfaceSpec&, const Problem&);

  /// Appends the values at one time; `imaginary` as for a path.
  void sample(const Sampler&, const double* u, const double* imaginary, SurfaceResult& result) const;
  SurfaceResult frame() const { return frame_; }

 private:
  SurfaceResult frame_;
  std::array<std::vector<mesh::Place>, 2> places_;  ///< middle of each triangle; tet -1: no element there
};

}  // namespace umov::eqs
