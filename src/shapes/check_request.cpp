// Conditions on a request for a particle, before anything is made of it.
#include "shapes/check_request.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace umov::shapes {
namespace {

void require_positive(double value, const char* name) {
  if (!(value > 0) || !std::isfinite(value))
    throw BadInput(fmt::format("illegal {}: {:g} (must be positive and finite); correct it", name, value));
}

void check_grid(const Request& q) {
  for (int k = 0; k < 3; ++k)
    if (q.grid[k] < 0 || q.grid[k] > max_edge)
      throw BadInput(fmt::format("illegal grid size along {}: {} (must be 1 to {}); correct `grid`", "xyz"[k],
                                 q.grid[k], max_edge));
  if ((q.grid[1] == 0) != (q.grid[2] == 0) || (q.grid[0] == 0 && q.grid[1] != 0))
    throw BadInput(fmt::format("incomplete grid: {} {} {} (nx, or all of nx ny nz); correct `grid`",
                               q.grid[0], q.grid[1], q.grid[2]));
}

void check_granules(const Request& q) {
  if (!q.granules) return;
  const auto& g = *q.granules;
  if (!(g.fraction >= 0 && g.fraction <= pi / 6))
    throw BadInput(fmt::format("illegal volume fraction of granules: {:g} (must be in [0, pi/6]); correct it",
                               g.fraction));
  require_positive(g.diameter, "granule diameter");
  if (g.domain < 1)
    throw BadInput(fmt::format("illegal domain for granules: {} (counted from 1); correct it", g.domain));
  if (q.rectangular[0] != q.rectangular[1] || q.rectangular[0] != q.rectangular[2])
    throw BadInput(
        "granules with rectangular dipoles (they are placed on a cubic lattice); drop one of the two");
}

}  // namespace

void check_request(const Request& q) {
  check_grid(q);
  if (q.size) require_positive(*q.size, "particle size");
  if (q.eq_radius) require_positive(*q.eq_radius, "volume-equivalent radius");
  if (q.dpl) require_positive(*q.dpl, "number of dipoles per wavelength (dpl)");
  require_positive(q.wavelength, "wavelength");
  require_positive(q.max_abs_m, "largest |m|");
  for (double edge : q.rectangular) require_positive(edge, "edge of a rectangular dipole");
  if (q.jagged < 1 || q.jagged > max_edge)
    throw BadInput(fmt::format("illegal jagged: {} (must be 1 to {}); correct it", q.jagged, max_edge));
  if (q.size && q.eq_radius)
    throw BadInput("size and eq_radius are both given (each fixes the scale); drop one of them");
  check_granules(q);
}

void check_redundancy(const Request& q, const Recipe& r) {
  if (!q.dpl) return;
  const char* length = q.size        ? "size"
                       : q.eq_radius ? "eq_radius"
                       : r.size      ? "the size in the file"
                                     : nullptr;
  if (length && q.grid[0])
    throw BadInput(
        fmt::format("too much information: dpl, grid and {} (two of them fix the third); drop one", length));
  if (length && r.box[0])
    throw BadInput(
        fmt::format("too much information: dpl and {}, while shape '{}' fixes the grid (two of them fix the "
                    "third); drop one",
                    length, q.shape));
}

}  // namespace umov::shapes
