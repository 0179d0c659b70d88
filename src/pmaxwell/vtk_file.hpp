// Rectilinear grids in VTK's legacy format, text and binary: complex numbers in single precision at points.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::pmaxwell {

using Axes = std::array<std::vector<double>, 3>;  ///< coordinates of the points along x, y, z

struct ComplexGrid {
  std::string title;  ///< the file's second line
  std::string name;   ///< of its data
  Axes axes;
  std::vector<Complex<float>> values;  ///< [z][y][x]

  Int3 points() const { return {int(axes[0].size()), int(axes[1].size()), int(axes[2].size())}; }
};

/// Reads a file of the format "vtk DataFile", versions 1 to 5.1, ASCII or BINARY (big-endian), with DATASET
/// RECTILINEAR_GRID and point data of type float: one array of two numbers a point (real and imaginary part),
/// or two arrays of one, as SCALARS or in a FIELD. Throws BadInput, naming the file, for whatever else it is:
/// another format, type or byte order, fewer or more numbers than points, numbers that are not finite.
ComplexGrid read_complex_grid(const std::string& path);

/// Writes `components` numbers per point [z][y][x][component] of type float. Throws as AtomicFile does.
void write_grid(const std::string& path, const std::string& title, const Axes& axes, const std::string& name,
                int components, std::span<const float> values, bool text);

}  // namespace umov::pmaxwell
