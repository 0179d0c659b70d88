// The grid of a case and the largest time step that is stable on it.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "fdtd/model/amplification.hpp"
#include "fdtd/model/conformal.hpp"
#include "fdtd/model/extent.hpp"
#include "fdtd/model/graded_lines.hpp"
#include "fdtd/scene.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {

Grid make_grid(const Simulation& s, const Scene& scene) {
  if (!(s.courant > 0) || (s.courant > 1 && !s.force))
    throw BadInput(
        fmt::format("courant is {:g} (a fraction of the stability limit: above 0, and up to 1); leave it out "
                    "for 0.9",
                    s.courant));
  const Extent e = extent_of(s);
  const int dim = dimensions(e.mode);
  Grid g;
  g.mode = e.mode;
  g.cells = e.cells;
  g.dx = e.dx;
  g.origin = e.low;
  for (int a = 0; a < dim; ++a) {
    const bool low = is_mirror(s.walls[a][0]), high = is_mirror(s.walls[a][1]);
    if (low || high) g.cells[a] /= 2;
    if (low) g.origin[a] = 0;
    if (!e.graded[a]) continue;
    g.lines[a] = graded_lines(s, scene, e, a);
    g.wraps[a] = e.periodic[a];
    g.cells[a] = int(g.lines[a].size()) - 1;
    g.origin[a] = g.lines[a].front();
  }
  if (g.graded()) {
    g.dx = 0;
    for (int a = 0; a < dim; ++a) g.dx = std::max(g.dx, g.coarsest(a));
  }
  const double edge = g.limiting_edge();
  g.dt = s.courant * edge / std::sqrt(double(dim));
  // What conductors need, surfaces between nodes ask of the limit in every medium that may touch them.
  const bool cut = s.averaging && !g.graded() &&
                   std::ranges::any_of(scene.materials(), &materials::Material::perfect_conductor);
  if (cut) g.dt = std::min(g.dt, conductor_courant(g.mode) * g.dx / std::sqrt(double(dim)));
  for (const auto& m : scene.materials())
    if (!m.perfect_conductor)
      g.dt = cut ? longest_step(m, edge, dim, g.dt, conductor_courant(g.mode))
                 : longest_step(m, edge, dim, g.dt);
  return g;
}

}  // namespace umov::fdtd
