// One HDF5 file with everything a run found, which ParaView opens as an image of voxels.
#pragma once

#include <string>

#include "results/result.hpp"

namespace umov::results {

/// Writes arrays under their names (attributes `unit`, `description`), provenance as attributes of the root,
/// and the dipoles as the points of a VTKHDF 1.0 ImageData group (VTK documentation, "VTKHDF format
/// specification"). Complex numbers are compounds {r, i} of doubles, as h5py reads and writes them. ParaView
/// recognises the endings .vtkhdf and .hdf. The file is complete or absent; throws MachineFailure with the
/// path when it cannot be written.
void write_hdf5(const Result&, const std::string& path);

}  // namespace umov::results
