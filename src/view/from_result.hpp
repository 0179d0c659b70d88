// A Result of any family as named arrays to look at: its tables become curves, its voxels fields.
#pragma once

#include <memory>
#include <string>

#include "results/result.hpp"
#include "view/stored.hpp"

namespace umov::view {

/// Adds to the shelf, for case `case_id`: a curve per column of every table against the table's first column,
/// a scalar per array of one number, a field per component of every voxel array. `length_unit`: of the
/// voxels. The result must outlive only this call; voxels are copied as float, thinned by whole cells where
/// they would take more than 256 MiB.
void add_result(Shelf&, const results::Result&, const std::string& length_unit, int case_id = 0);

}  // namespace umov::view
