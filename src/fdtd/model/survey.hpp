// A walk over the grid that finds which material every component is in, and where cells are mixed.
#pragma once

#include <map>

#include "fdtd/model/average.hpp"
#include "fdtd/model/paint.hpp"
#include "fdtd/problem.hpp"

namespace umov::fdtd {

struct MixedPoint {
  index_t cell = 0;
  Effective value;
};
struct NodeTensor {
  Int3 node{0, 0, 0};
  Vec3 off{0, 0, 0};        ///< (eps^-1)_yz, zx, xy
  bool has_memory = false;  ///< among its materials is one with poles or a conductivity
};
/// An edge that is averaged (MixedPoint says what it does within a step) and holds a material with memory.
struct CutEdge {
  Int3 at{0, 0, 0};
  Mixture mixture;
};

/// Cells that a body is wide where its surface is mixed over two of them, not one. Measured with H along
/// Drude cylinders (docs/decisions/0021): at 2 cells of radius one is better, from 3 on two. No multiple of a
/// quarter, by which the width is measured.
inline constexpr double least_smooth_width = 5.1;

/// What the walk leaves, sorted by cell.
struct Survey {
  std::array<std::vector<MixedPoint>, 6> mixed;
  std::vector<NodeTensor> nodes;
  std::array<std::vector<CutEdge>, 3> cut;                         ///< per E component
  std::map<std::pair<int, int>, std::vector<index_t>> dispersive;  ///< by (component, material)
  std::vector<Vec3> shared;  ///< edges that a surface of a body with memory cuts within a cell of a conductor
};

/// What the walk needs to know.
struct SurveyPlan {
  const Scene& scene;
  const Grid& grid;
  bool averaging = true;
  std::array<bool, 3> far_node{};                     ///< node n belongs to the grid too (magnetic wall)
  std::array<std::vector<std::uint16_t>, 6> palette;  ///< [component][material]: index to write
  std::array<std::vector<std::uint16_t>, 6>* ids = nullptr;  ///< written where not empty; filled with [c][0]
  std::vector<bool> smoothed;          ///< by material: mixed over two cells (paint.cpp)
  std::array<bool, 3> no_near_node{};  ///< what lies on node 0 stays zero (electric wall), as on node n
};

/// Whole boxes of one material are written at once; only cells near interfaces are looked at one by one.
Survey survey(const SurveyPlan&, const Told& = {});

/// Whether a component is computed at a cell: inside the grid, or on its faces where they belong to it.
bool computed(const SurveyPlan&, int component, const Int3& cell);

}  // namespace umov::fdtd
