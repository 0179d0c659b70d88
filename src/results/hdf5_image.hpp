// The image of a result in HDF5, as VTK reads it: its group, its arrays written plane by plane or left to
// others.
#pragma once

#include "results/hdf5_parts.hpp"
#include "results/image_file.hpp"

namespace umov::results::hdf5 {

bool has_image(const VoxelGrid&);
/// The group of the image with its attributes; returns that of the values at its points.
Id begin_image(hid_t file, const VoxelGrid&);
Id open_points(hid_t file);

void write_image_array(hid_t points, const VoxelGrid&, const VoxelArray&);
/// The array without its values: contiguous, its place in the file taken at once.
StoredPlanes reserve_image_array(hid_t points, const VoxelGrid&, const VoxelArray&);

/// All is in the file, and errors are known.
void close_written(Id& file);

}  // namespace umov::results::hdf5
