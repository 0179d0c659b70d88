// The order of all checks of a case, and how places lie beside absorbing layers.
#include "fdtd/model/validate.hpp"

#include <algorithm>

#include "fdtd/model/validate_parts.hpp"

namespace umov::fdtd {

Surroundings::Surroundings(const Simulation& s, const Grid& grid) : grid_(grid), extent_(extent_of(s)) {
  for (int a = 0; a < dimensions(grid.mode); ++a)
    for (int side = 0; side < 2; ++side)
      layers_[a][side] = s.walls[a][side] == WallKind::pml ? s.pml.layers : 0;
}

Surroundings::Where Surroundings::box(const Vec3& center, const Vec3& size) const {
  // Half a cell of doubt: a plane on the innermost face of the layers is not in them.
  bool absorbed = false, partly = false;
  for (int a = 0; a < dimensions(grid_.mode); ++a) {
    const double low = center[a] - size[a] / 2, high = center[a] + size[a] / 2, doubt = 0.5 * grid_.finest(a);
    if (low < extent_.low[a] - doubt || high > extent_.high[a] + doubt) return Where::outside;
    const double edge[2] = {grid_.edge(a, 0), grid_.edge(a, grid_.cells[a] - 1)};  // of the layers' cells
    const double inner_low = extent_.low[a] + layers_[a][0] * edge[0];
    const double inner_high = extent_.high[a] - layers_[a][1] * edge[1];
    absorbed = absorbed || high < inner_low - doubt || low > inner_high + doubt;
    partly = partly || low < inner_low - doubt || high > inner_high + doubt;
  }
  return absorbed ? Where::absorbed : partly ? Where::partly_absorbed : Where::inside;
}

bool Surroundings::place_absorbed(const Vec3& at) const {
  for (int a = 0; a < dimensions(grid_.mode); ++a)
    if (at[a] < layers_[a][0] || at[a] > grid_.cells[a] - layers_[a][1]) return true;
  return false;
}

bool Surroundings::place_outside(const Vec3& at) const {
  for (int a = 0; a < 3; ++a)
    if (at[a] < 0 || at[a] > grid_.cells[a]) return true;
  return false;
}

double highest_carrier(const Simulation& s) {
  double highest = 0;
  for (const auto& source : s.sources) highest = std::max(highest, source.waveform.frequency);
  return highest;
}

std::vector<Finding> validate(const Simulation& s, const Scene& scene, const Grid& grid) {
  Findings found;
  const Surroundings around(s, grid);
  validate_sources(s, scene, around, found);
  validate_monitors(s, around, found);
  validate_frequencies(s, scene, grid, found);
  validate_endless(s, found);
  validate_places(s, grid, found);
  validate_resolution(s, scene, grid, found);
  validate_ranges(s, scene, found);
  validate_fits(s, scene, found);
  validate_metals(s, scene, grid, found);
  validate_bodies(s, around, found);
  validate_domain(s, scene, around, found);
  validate_mirrors(s, scene, around, found);
  validate_layers(s, scene, around, found);
  validate_absorbers(s, scene, grid, found);
  validate_total_field(s, scene, grid, found);
  validate_picture(s, found);
  validate_graded(s, grid, found);
  return found;
}

}  // namespace umov::fdtd
