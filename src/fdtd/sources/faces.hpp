// Faces between total and scattered field: which updates cross them, and what each lacks.
#pragma once

#include <vector>

#include "fdtd/problem.hpp"

namespace umov::fdtd {

/// One face: the total field begins at node `node` of `axis` and lies above it (side 0: the low face of a
/// box) or below it (side 1: the high face). Transverse nodes lo <= i <= hi belong to it.
struct Face {
  int axis = 0, side = 0, node = 0;
  Int3 lo{0, 0, 0}, hi{0, 0, 0};
};

/// Updates that cross a face: `target` at `cell` lacks sign * `incident` at `incident_cell` in its curl, to
/// be multiplied by its `drive`. Tangential E on the face lacks the incident H half a cell outside, and that
/// H lacks the incident E on the face (Taflove and Hagness 2005, chapter 5).
struct Crossing {
  Component target, incident;
  double sign = 1;
  std::vector<Int3> cells, incident_cells;
};

/// The crossings of one face, cells unique in each; nodes that are not computed are left out.
std::vector<Crossing> crossings(const Problem&, const Face&);

}  // namespace umov::fdtd
