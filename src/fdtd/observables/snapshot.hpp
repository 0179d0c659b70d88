// Pictures of one field: the whole plane of a two-dimensional run, a cut through a three-dimensional one.
#pragma once

#include <optional>

#include "fdtd/engine.hpp"
#include "fdtd/outcome.hpp"

namespace umov::fdtd {

/// The field as it is now, by default of the monitor's first component; in three dimensions on the layer of
/// its points nearest to `plane_at` along `plane` (0, 1, 2 = x, y, z). Of complex fields the real part.
/// `time` is that at which the component is known. A plane behind a symmetry plane (by `walls`) is the image
/// of the computed one. Throws BadInput for a component that the run lacks and a plane outside the domain.
Snapshot take_snapshot(const Engine&, const Grid&, const MonitorSpec&, std::optional<Component> = {},
                       const std::array<std::array<WallKind, 2>, 3>& walls = {});

}  // namespace umov::fdtd
