// Particles as arrays [z][y][x] of materials: of NumPy's files, or in memory.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/given_arrays.hpp"
#include "shapes/recipe.hpp"

namespace umov::shapes {

namespace {

const GivenArray& checked(const GivenArrays& given) {
  const GivenArray& a = given.arrays.front();
  if (given.arrays.size() > 1 || !a.is_whole() || a.shape.size() != 3)
    throw BadInput(fmt::format(
        "{}: {} (a particle is one array of whole numbers [z][y][x], 0 outside); give one", given.said,
        given.arrays.size() > 1 ? "several arrays"
        : !a.is_whole()         ? "numbers that are not whole"
                                : fmt::format("{} dimensions", a.shape.size())));
  for (int k = 0; k < 3; ++k)
    if (a.shape[std::size_t(k)] > std::size_t(max_edge))
      throw BadInput(fmt::format("{}: {} dipoles along {} (at most {} are possible); give fewer", given.said,
                                 a.shape[std::size_t(k)], "zyx"[k], max_edge));
  return a;
}

}  // namespace

Recipe read_array(const GivenArrays& given) {
  const GivenArray& a = checked(given);
  Recipe r;
  r.before = fmt::format("specified by {} - array of materials; size along x-axis:", given.said);
  r.symmetry = {};  // taken as it is, without looking for symmetry
  const std::size_t ny = a.shape[1], nx = a.shape[2];
  Int3 low{max_edge, max_edge, max_edge}, high{-1, -1, -1};
  for (std::size_t i = 0, n = a.size(); i < n; ++i) {
    const long long material = a.whole(i);
    if (material == 0) continue;
    if (material < 0 || material > max_materials)
      throw BadInput(
          fmt::format("{}: material {} at [{}][{}][{}] (0 is outside, 1 to {} are materials); correct it",
                      given.said, material, i / nx / ny, i / nx % ny, i % nx, max_materials));
    const Int3 at{int(i % nx), int(i / nx % ny), int(i / nx / ny)};
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], at[k]), high[k] = std::max(high[k], at[k]);
    r.voxels.push_back({at[0], at[1], at[2], int(material), i + 1});
    r.materials = std::max(r.materials, int(material));
  }
  if (r.voxels.empty())
    throw BadInput(fmt::format("{}: no dipole (0 is outside, 1 the first material); mark some with 1 or more",
                               given.said));
  for (Voxel& v : r.voxels) v.x -= low[0], v.y -= low[1], v.z -= low[2];
  for (int k = 0; k < 3; ++k) r.box[k] = high[k] - low[k] + 1;
  return r;
}

}  // namespace umov::shapes
