// Which grid points, with which weights, make the value at a place or over a drawn shape.
#pragma once

#include "fdtd/observables/region.hpp"
#include "fdtd/observables/samples.hpp"

namespace umov::fdtd {

/// Linear interpolation between the up to 2^d points of a component around `at`. Of points behind a wall or a
/// symmetry plane the images count, with their signs in the weights, so that the field vanishes on walls
/// where it must.
WeightedCells interpolate(const Whole&, const Problem&, Component, const Vec3& at);

/// Weights of the mean over the monitor's pixels (for `squares`, of the mean of the field's square), each
/// point by its share of them, or its centre by interpolation. Throws BadInput for pixels outside the grid, a
/// centre outside the domain and an extent (a series is of a point or of pixels).
WeightedCells place(const MonitorSpec&, Component, const Simulation&, const Problem&, bool squares = false);

}  // namespace umov::fdtd
