// A Result of any family as named arrays to look at: its tables become curves, its voxels fields.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "results/result.hpp"
#include "view/stored.hpp"

namespace umov::view {

/// Adds to the shelf, for case `case_id`: a curve per column of every table against the table's first column,
/// a scalar per array of one number, a field per component of every voxel array. `length_unit`: of the
/// voxels. The result must outlive only this call; voxels are copied as float, thinned by whole cells where
/// they would take more than 256 MiB.
void add_result(Shelf&, const results::Result&, const std::string& length_unit, int case_id = 0);

/// The same as `umov view` finds it in the files of the result: one curve a table with all of its columns, a
/// scalar per array of one number, and lists that stand in no table; no voxels.
void add_tables(Shelf&, const results::Result&, int case_id = 0);

/// What a curve over this column is: "pattern" over an angle, "series" over time or steps, else "spectrum".
std::string role_over(const Column&);
/// Of a table over several things (orders, polarizations, lines) the abscissa goes back: that is no curve.
bool one_way(const std::vector<double>&);
/// Whether one of the columns after the first is best seen on a logarithmic scale: none of its values is
/// negative, and they span decades.
bool any_spans_decades(const std::vector<std::vector<double>>& columns);
/// A list of numbers as a curve over their places; called "residual" it is one over iterations.
void add_list(Shelf&, const results::Array&, std::vector<double> values, int case_id = 0);

/// Boxes of a lattice by their labels, as points of columns x, y, z and label; 0 is void. Where more than
/// `most_points` are not void, every n-th site along each axis stands for its neighbours.
struct LabelledSites {
  std::vector<std::vector<double>> columns;  ///< x, y, z of the centres, label
  int thinned = 1;                           ///< n
};
inline constexpr std::size_t most_points = 120000;
LabelledSites labelled_sites(const std::function<int(int, int, int)>& label, const Int3& cells,
                             const Vec3& origin, const Vec3& spacing);
/// Their array, but for name and case; `more`: columns beside the four.
ArrayInfo points_info(const LabelledSites&, const std::string& length_unit, const std::string& label,
                      const std::vector<Column>& more = {});

}  // namespace umov::view
