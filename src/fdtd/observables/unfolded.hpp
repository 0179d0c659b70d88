// A thin slab of the whole domain as a problem of its own, where a cross-section reaches behind symmetry
// planes.
#pragma once

#include "fdtd/observables/whole.hpp"

namespace umov::fdtd {

/// Materials of the slab and the walls around it; it has no sources and no monitors.
struct UnfoldedSlab {
  Problem problem;
  Int3 shift{0, 0, 0};  ///< from its cells to those of the whole domain

  /// The cell of the whole domain at a layout index of the slab.
  Int3 cell(index_t at) const;
};

/// The cells node - 1, node, node + 1 along `axis`; along the other axes the whole domain where `unfold` says
/// so, else the computed part.
UnfoldedSlab unfolded_slab(const Problem&, const Whole&, int axis, int node,
                           const std::array<bool, 3>& unfold);

}  // namespace umov::fdtd
