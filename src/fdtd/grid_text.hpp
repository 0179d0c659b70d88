// How long cells are, in words.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "fdtd/grid.hpp"

namespace umov::fdtd {

/// "0.05", or of a graded grid "0.01 to 0.05".
inline std::string edges_text(const Grid& g, int digits) {
  if (!g.graded()) return fmt::format("{:.{}g}", g.dx, digits);
  double least = g.dx;
  for (int a = 0; a < dimensions(g.mode); ++a) least = std::min(least, g.finest(a));
  return fmt::format("{:.{}g} to {:.{}g}", least, digits, g.dx, digits);
}

}  // namespace umov::fdtd
