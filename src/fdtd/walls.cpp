// Walls of a case as closures, Bloch phases and absorbing layers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "fdtd/cut_edges.hpp"
#include "fdtd/pml_profile.hpp"
#include "fdtd/ranges.hpp"
#include "fdtd/scene.hpp"
#include "fdtd/sources/waveform.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {

namespace {

/// Mean of eps (of E) or mu (of H) over the tangential components in a plane across `axis`.
double mean_constant(const Problem& p, Field f, int axis, int position) {
  const Layout l(p.grid);
  double sum = 0, count = 0;
  for (int c = 0; c < components; ++c) {
    if (field_of(c) != f || !has_component(p.grid.mode, c) || axis_of(c) == axis) continue;
    Box box;
    for (int a = 0; a < 3; ++a) box.hi[a] = p.grid.cells[a];
    box.lo[axis] = position;
    box.hi[axis] = position + 1;
    for (int k = box.lo[2]; k < box.hi[2]; ++k)
      for (int j = box.lo[1]; j < box.hi[1]; ++j)
        for (int i = box.lo[0]; i < box.hi[0]; ++i) {
          const auto id = p.material[c].empty() ? p.uniform[c] : p.material[c][l.at(i, j, k)];
          const Coefficients& m = p.coefficients.at(id);
          if (m.drive <= 0) continue;  // a conductor
          double area = 1;
          const Int3 at{i, j, k};
          for (int a = 0; a < 3; ++a)
            if (a != axis && p.grid.graded(a)) area *= p.grid.width(c, a, at[a]) / p.grid.dx;
          sum += area * p.grid.dt / p.grid.dx * (1 + m.decay) / (2 * m.drive) *
                 free_fraction(p, Component(c), l.at(i, j, k));
          count += area;
        }
  }
  return count > 0 ? sum / count : 1;
}

/// Where the layers begin decides: an index that is too high leaves the thinner medium with too little sigma.
double index_behind(const Problem& p, int axis, int side, int layers) {
  if (p.coefficients.empty()) return 1;
  const int position = side == 0 ? layers : p.grid.cells[axis] - layers - 1;
  return std::sqrt(mean_constant(p, Field::E, axis, position) * mean_constant(p, Field::H, axis, position));
}

void check_layers(const Simulation& s, const Problem& p, int axis) {
  int layers = 0;
  for (const WallKind kind : s.walls[axis]) layers += kind == WallKind::pml ? s.pml.layers : 0;
  const char name = "xyz"[axis];
  for (const WallKind kind : s.walls[axis])
    if (kind == WallKind::pml && s.pml.layers < 1)
      throw BadInput(
          fmt::format("a wall along {} absorbs with {} layers (at least one is needed); set pml.layers, or "
                      "make the wall pec",
                      name, s.pml.layers));
  if (layers >= p.grid.cells[axis])
    throw BadInput(fmt::format(
        "the absorbing layers leave nothing of the domain along {} ({} of {} cells are layers); use "
        "fewer layers, a larger domain or a finer grid",
        name, layers, p.grid.cells[axis]));
}

void check_pair(const Simulation& s, int axis) {
  const auto& [low, high] = s.walls[axis];
  if ((wraps(low) || wraps(high)) && low != high)
    throw BadInput(
        fmt::format("the walls along {} do not match (one is periodic or bloch, the other is not the "
                    "same); give both sides the same kind",
                    "xyz"[axis]));
}

/// What oscillates slower than alpha passes a layer as if it were air, so on grids of very many cells per
/// wavelength alpha has to be lower than elsewhere: at most this part of the lowest angular frequency. Up to
/// 3000 cells pml_reflection then stays below 2e-7, where alpha = 0.02 / dx reflects 2e-4 at 500 and 0.05 at
/// 1600.
constexpr double highest_alpha = 0.3;

}  // namespace

PmlSettings settings_for(const Simulation& s, double dx) {
  PmlSettings pml = s.pml;
  if (!pml.discrete) return pml;
  for (const auto& source : s.sources) {
    const Waveform& wave = source.waveform;
    const double spread = wave.kind == Waveform::Kind::gaussian ? std::min(2 * wave.width, 0.75) : 0;
    const double lowest = 2 * pi * peak_frequency(wave) * (1 - spread);
    if (lowest > 0) pml.alpha_max = std::min(pml.alpha_max, highest_alpha * lowest * dx);
  }
  return pml;
}

void set_walls(const Simulation& s, Problem& p) {
  for (int a = 0; a < dimensions(p.grid.mode); ++a) {
    check_pair(s, a);
    check_layers(s, p, a);
    if (turns(s.walls[a][0])) {
      p.bloch_phase[a] = 2 * pi * (s.bloch[a] + s.bloch_shift[a]) * p.grid.length(a);
      p.complex_fields = p.complex_fields || p.bloch_phase[a] != 0;
    }
    for (int side = 0; side < 2; ++side) {
      p.walls[a][side] = traits(s.walls[a][side]).closure;
      if (s.walls[a][side] != WallKind::pml) continue;
      const double edge = p.grid.edge(a, side == 0 ? 0 : p.grid.cells[a] - 1);
      p.pml[a][side] =
          make_pml(settings_for(s, edge), edge, p.grid.dt, index_behind(p, a, side, s.pml.layers));
    }
  }
}

}  // namespace umov::fdtd
