// Sources and monitors as something to draw and to name.
#pragma once

#include <string>
#include <vector>

#include "fdtd/outcome.hpp"
#include "pictures/canvas.hpp"

namespace umov::fdtd {

/// A source or a monitor as something to draw and to name.
struct Mark {
  std::string name, text;
  pictures::Color color;
  Vec3 center, size;
  const std::vector<Int3>* pixels = nullptr;
  Int3 raster{0, 0, 0};  ///< that the pixels count in; 0: the cells
  Vec3 arrow{0, 0, 0};   ///< direction of travel or of positive flux
  bool dashed = false, source = false;
};

/// Of all sources, then of all monitors. Reads simulation and grid of the outcome, which must outlive it.
std::vector<Mark> marks_of(const Outcome&);

}  // namespace umov::fdtd
