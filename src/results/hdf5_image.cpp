#include "results/hdf5_image.hpp"

#include <algorithm>
#include <cstring>

namespace umov::results {
namespace {

using namespace hdf5;

/// Labels compress to almost nothing; fields do not, and are left as they are for speed.
Id storage(const VoxelArray& array, const std::vector<hsize_t>& shape) {
  Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (array.is_label && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
    auto chunk = shape;
    chunk[0] = 1;
    check(H5Pset_chunk(properties, int(chunk.size()), chunk.data()));
    check(H5Pset_deflate(properties, 4));
  }
  return properties;
}

/// Points of the image along each axis. VTK's readers take a layer of one point for a missing dimension and
/// then ask for arrays of fewer dimensions; a second, void layer keeps flat particles readable.
Int3 image_points(const VoxelGrid& grid) {
  return {std::max(2, grid.cells[0]), std::max(2, grid.cells[1]), std::max(2, grid.cells[2])};
}

hid_t stored_type(const VoxelArray& array) {
  return array.is_label ? H5T_STD_U8LE : array.single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
}

/// Layers that the values of one fill.
int layers(const VoxelGrid& grid, int axis) { return grid.repeat_flat && grid.cells[axis] == 1 ? 2 : 1; }

/// Values of plane z at all points of it, [y][x][component]: a void layer is zero, a flat axis may have two.
std::vector<double> plane_of(const VoxelGrid& grid, const VoxelArray& array, int z) {
  const Int3 points = image_points(grid);
  const auto row = std::size_t(grid.cells[0]) * std::size_t(array.components);
  std::vector<double> slice(row * std::size_t(grid.cells[1]));
  array.fill(z, slice);
  if (points[0] == grid.cells[0] && points[1] == grid.cells[1]) return slice;
  std::vector<double> plane(std::size_t(points[0]) * std::size_t(points[1]) * std::size_t(array.components));
  for (int j = 0; j < grid.cells[1] * layers(grid, 1); ++j)
    for (int i = 0; i < layers(grid, 0); ++i)
      std::copy_n(slice.begin() + std::ptrdiff_t(row) * std::min(j, grid.cells[1] - 1), row,
                  plane.begin() + (std::ptrdiff_t(j) * points[0] + i) * array.components);
  return plane;
}

std::vector<hsize_t> shape_of(const VoxelGrid& grid, const VoxelArray& array) {
  const Int3 points = image_points(grid);
  std::vector<hsize_t> shape{hsize_t(points[2]), hsize_t(points[1]), hsize_t(points[0])};
  if (array.components > 1) shape.push_back(hsize_t(array.components));
  return shape;
}

Id make_array(hid_t group, const VoxelGrid& grid, const VoxelArray& array, hid_t properties) {
  Id space = space_of(shape_of(grid, array));
  Id data(
      H5Dcreate2(group, array.name.c_str(), stored_type(array), space, H5P_DEFAULT, properties, H5P_DEFAULT),
      H5Dclose);
  write_text(data, "unit", array.unit);
  write_text(data, "description", array.description);
  return data;
}

}  // namespace

namespace hdf5 {

bool has_image(const VoxelGrid& grid) { return grid.cells[0] > 0 && grid.cells[1] > 0 && grid.cells[2] > 0; }

/// Dipoles are the points of the image. Cell data would say "voxel" more directly, but the reader of VTK 9.1
/// (ParaView 5.10) asks for one value too many per axis there and fails, and contours need point data.
Id begin_image(hid_t file, const VoxelGrid& grid) {
  const Int3 points = image_points(grid);
  Id group(H5Gcreate2(file, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  write_attribute(group, "Version", std::vector<std::int64_t>{1, 0});
  write_text(group, "Type", "ImageData");
  write_attribute(group, "WholeExtent",
                  std::vector<std::int64_t>{0, points[0] - 1, 0, points[1] - 1, 0, points[2] - 1});
  write_attribute(group, "Layers", std::vector<std::int64_t>{grid.cells[0], grid.cells[1], grid.cells[2]});
  std::vector<double> origin(3);
  for (int c = 0; c < 3; ++c) origin[c] = grid.origin[c] + 0.5 * grid.spacing[c];
  write_attribute(group, "Origin", origin);
  write_attribute(group, "Spacing", std::vector<double>(grid.spacing.begin(), grid.spacing.end()));
  write_attribute(group, "Direction", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  return {H5Gcreate2(group, "PointData", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
}

Id open_points(hid_t file) { return {H5Gopen2(file, "VTKHDF/PointData", H5P_DEFAULT), H5Gclose}; }

void write_image_array(hid_t points, const VoxelGrid& grid, const VoxelArray& array) {
  auto shape = shape_of(grid, array);
  Id properties = storage(array, shape);
  Id data = make_array(points, grid, array, properties);
  Id space = space_of(shape);
  shape[0] = 1;
  Id plane_space = space_of(shape);
  std::vector<hsize_t> start(shape.size(), 0);
  for (int z = 0; z < grid.cells[2]; ++z) {
    const auto plane = plane_of(grid, array, z);
    for (int k = 0; k < stored_copies(grid); ++k) {
      start[0] = hsize_t(z + k);
      check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, shape.data(), nullptr));
      check(H5Dwrite(data, H5T_NATIVE_DOUBLE, plane_space, space, H5P_DEFAULT, plane.data()));
    }
  }
}

StoredPlanes reserve_image_array(hid_t points, const VoxelGrid& grid, const VoxelArray& array) {
  Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY));
  Id data = make_array(points, grid, array, properties);
  const haddr_t offset = H5Dget_offset(data);
  if (offset == HADDR_UNDEF) fail();
  const auto shape = shape_of(grid, array);
  std::uint64_t bytes = array.single ? sizeof(float) : sizeof(double);
  for (std::size_t i = 1; i < shape.size(); ++i) bytes *= shape[i];
  return {offset, bytes};
}

void close_written(Id& file) {
  check(H5Fflush(file, H5F_SCOPE_GLOBAL));
  file.close();
}

}  // namespace hdf5

std::vector<std::byte> stored_plane(const VoxelGrid& grid, const VoxelArray& array, int z) {
  const auto plane = plane_of(grid, array, z);
  const auto bytes_of = [](const auto& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(values[0]));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  };
  if (array.single) return bytes_of(std::vector<float>(plane.begin(), plane.end()));
  return bytes_of(plane);
}

int stored_copies(const VoxelGrid& grid) { return layers(grid, 2); }

}  // namespace umov::results
