// Values over two axes, at one place of the third, as a field of one layer.
#pragma once

#include <string>
#include <vector>

#include "results/hdf5_reader.hpp"
#include "view/stored.hpp"

namespace umov::view {

/// Axes are called x, y, z or depth: a depth points down, so z is shown as minus the depth. Places are those
/// of equally spaced nodes, in the length unit of the field.
struct Plane {
  std::string rows, columns;
  std::vector<double> row_places, column_places;
  double at = 0;  ///< on the axis that is left
};

/// Shape, origin and spacing: nodes are the middles of cells. Throws BadInput for axes of another name.
ArrayInfo plane_info(const Plane&, const std::string& length_unit);
/// Values [rows][columns].
Maker plane_maker(const Plane&, const std::vector<double>& values);

/// Adds arrays of two axes of an HDF5 file whose description ends "over ROWS and COLUMNS, at AXIS = NUMBER
/// UNIT", where lists of the names of rows and columns lie in the first group of the array's name.
void add_planes(Shelf&, int case_id, const std::string& path, const results::StoredFile&);

}  // namespace umov::view
