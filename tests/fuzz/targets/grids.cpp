// Rectilinear grids of VTK, text and binary.
#include <cmath>
#include <stdexcept>

#include "fuzz/target.hpp"
#include "pmaxwell/vtk_file.hpp"

namespace umov {

FUZZ_TARGET(vtk, ".vtk") {
  const auto grid = pmaxwell::read_complex_grid(path);
  const auto n = grid.points();
  if (grid.values.size() != std::size_t(n[0]) * n[1] * n[2])
    throw std::logic_error("a grid has other numbers than points");
  for (const auto& v : grid.values)
    if (!std::isfinite(v.re) || !std::isfinite(v.im))
      throw std::logic_error("an accepted value is not finite");
}

}  // namespace umov
