#include "fdtd/model/conductor_notes.hpp"

#include <fmt/format.h>

#include <cmath>

namespace umov::fdtd {

std::string conductor_note(const Problem& p) {
  const ConductorReport& r = p.conductors;
  if (r.cut == 0) return "";
  const Grid& g = p.grid;
  std::string text = fmt::format(
      "surfaces of perfect conductors are conformal: {} cut edges and faces, second order in the cell; the "
      "time step is {:.3g} of the "
      "Courant limit for them",
      r.cut, g.dt / g.limiting_edge() * std::sqrt(double(dimensions(g.mode))));
  if (r.enlarged > 0)
    text += fmt::format(
        "; {} cut faces are larger by up to {:.2g} of a cell to be stable at this step (a smaller "
        "courant makes them exact)",
        r.enlarged, r.enlarged_by);
  return text;
}

std::string thin_conductor_warning(const Problem& p) {
  const ConductorReport& r = p.conductors;
  if (r.thin == 0) return "";
  return fmt::format(
      "a perfect conductor is thinner than {:.3g} (1.4 cells) near ({:.4g}, {:.4g}, {:.4g}): it shields, but "
      "on lines of the grid, with surfaces up to half a cell off; make it thicker or raise resolution to "
      "have "
      "its surfaces where they are",
      1.42 * p.grid.dx, r.thin_at[0], r.thin_at[1], r.thin_at[2]);
}

}  // namespace umov::fdtd
