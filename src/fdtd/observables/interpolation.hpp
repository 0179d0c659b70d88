// Which grid points, with which weights, make the value at a place or over a drawn shape.
#pragma once

#include "fdtd/observables/region.hpp"
#include "fdtd/observables/samples.hpp"

namespace umov::fdtd {

/// Linear interpolation between the up to 2^d points of a component around `at`; beyond the outermost points
/// (within half a cell of a wall) the nearest ones count. Behind a symmetry plane images count, with their
/// signs in the weights.
WeightedCells interpolate(const Whole&, Component, const Vec3& at);

/// The monitor's pixels with equal weights whose sum is 1, or its centre by interpolation. Throws BadInput
/// for pixels outside the grid, a centre outside the domain and an extent (a series is of a point or of
/// pixels).
WeightedCells place(const MonitorSpec&, Component, const Simulation&, const Problem&);

}  // namespace umov::fdtd
