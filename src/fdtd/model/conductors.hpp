// Perfect conductors on the grid: which part of every edge and face they leave free.
#pragma once

#include <array>
#include <vector>

#include "fdtd/model/paint.hpp"
#include "fdtd/problem.hpp"

namespace umov::fdtd {

/// One edge (of E) or face (of H) that a conductor touches: the fraction that is free.
struct CutPlace {
  index_t cell = 0;  ///< layout index
  double free = 0;
};

/// What conductors leave free: per component, by cell. Places that are not listed are free, or wholly inside.
struct ConductorCuts {
  std::array<std::vector<CutPlace>, components> places;
  index_t thin = 0;       ///< edges in conductors too thin for fractions
  Vec3 thin_at{0, 0, 0};  ///< one of them
  bool empty() const;
  /// 1 where nothing is listed.
  double free(int component, index_t cell) const;
};

/// Fractions of lengths and areas from the scene's shares of degenerate boxes (exact for planes, second order
/// in the cell for curved surfaces). A conductor of which both sides lie in one cell has no fractions there:
/// it takes the edges whose dual face (the face between the centres of the cells around the edge) it touches,
/// which leaves no hole, and all other fractions are 1.
ConductorCuts find_conductors(const Scene&, const Grid&, const Told& = {});

}  // namespace umov::fdtd
