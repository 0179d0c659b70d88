// Fields of a dipole run on its voxels.
#pragma once

#include "dda/field_sink.hpp"
#include "dda/outcome.hpp"
#include "results/result.hpp"

namespace umov::dda {

/// The lattice, its materials, and the polarizations and internal fields that were kept. The Outcome must
/// outlive the Result.
void add_voxels(results::Result&, const Outcome&);

/// The lattice without arrays.
results::VoxelGrid lattice_image(const shapes::Particle&);
/// The arrays of one polarization's fields, whose `fill` knows the planes that are in `fields` when it is
/// called; both outlive it.
results::VoxelGrid fields_image(const shapes::Particle&, char label, const PlaneFields& fields);

}  // namespace umov::dda
