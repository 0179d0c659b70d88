// Fields of a dipole run on its voxels.
#pragma once

#include "dda/outcome.hpp"
#include "results/result.hpp"

namespace umov::dda {

/// The lattice, its materials, and the polarizations and internal fields that were kept. The Outcome must
/// outlive the Result.
void add_voxels(results::Result&, const Outcome&);

}  // namespace umov::dda
