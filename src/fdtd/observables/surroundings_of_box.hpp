// Whether a far-field box stands where its far field means something.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fdtd/observables/far_field.hpp"

namespace umov::fdtd {

/// Whether waves of all frequencies travel alike in both.
bool same_medium(const materials::Material&, const materials::Material&);

/// "'glass'", or words for a medium without name.
std::string medium_name(const Scene&, int material);

/// Another medium outside a box, with a place of it, and whether the box's own reaches a wall of the domain
/// that does not repeat.
struct Outside {
  bool reaches_wall = false;
  int other = -1;  ///< -1: none
  Vec3 where{0, 0, 0};
};
Outside media_outside(const Region& box, int own, const Whole&, const Scene&);

/// Flat layers outside a box.
struct LayersOutside {
  int axis = 0;                ///< across them
  std::array<bool, 2> wall{};  ///< a ground plane closes the low, the high side
  std::string words;           ///< "along z ('glass' up to z = 0, 'air')"
};
/// Nothing where one medium is all around the box, without a ground plane, or what is there is not flat.
std::optional<LayersOutside> layers_outside(const Region& box, const Whole&, const Scene&);

/// Looks at what is around a closed surface: the medium on it has to go on to the walls (a body that encloses
/// the surface is refused, other media outside are a warning; neither is looked at where the far field is
/// that `through_layers`), no current may flow through a face (refused), sources outside and absorbing layers
/// that a face touches are warnings. Throws BadInput, returns the warnings.
std::vector<std::string> warnings_of_box(const MonitorSpec&, const std::vector<PlaneFace>&, const Surface&,
                                         const Region&, const Whole&, const Simulation&, const Scene&,
                                         bool through_layers);

/// Whether the one conducting wall of the domain that is bare of absorbing layers is there: a ground plane. A
/// symmetry plane is none.
bool grounded(const Whole&, int axis, int side);

/// Warns of walls of the domain that no absorbing layer covers; symmetry planes are none, nor is a
/// ground plane across the axis of layers.
void warn_of_walls(const MonitorSpec&, const Whole&, int axis_of_layers, std::vector<std::string>& warnings);

}  // namespace umov::fdtd
