// Fields of a time-domain run as images that ParaView opens.
#pragma once

#include <string>
#include <vector>

#include "fdtd/monitors/fourier.hpp"
#include "fdtd/outcome.hpp"
#include "results/result.hpp"

namespace umov::fdtd {

/// Permittivity and the final fields known over the whole grid. Points are the nodes of the grid (or, where
/// no field is known over all of it, the centres of the cells of `permittivity`). Refers to the outcome.
results::VoxelGrid domain_image(const Outcome&);

/// Re, Im and |.| of every component and frequency over the region of a Fourier monitor, and the sum of |E|^2
/// over its electric components. Refers to the outcome.
results::VoxelGrid fourier_image(const Outcome&, const FourierResult&);

/// Three dimensions: final fields on the plane through the middle normal to `axis`; no arrays where none is
/// known. Refers to the outcome.
results::VoxelGrid plane_image(const Outcome&, int axis);

/// Adds `offsets/NAME` for each array of the result's voxels, which are a domain_image or a plane_image:
/// where its values are from the points, in cells. Nothing where the points are no nodes.
void add_offsets(results::Result&, const Outcome&);

/// A block that spans the grid along every axis that has extent.
bool spans_grid(const Grid&, const FieldBlock&);
/// A block of one layer across `axis` and the whole grid along the others, in three dimensions.
bool is_plane(const Grid&, const FieldBlock&, int axis);

}  // namespace umov::fdtd
