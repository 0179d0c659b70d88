#include "results/hdf5_image.hpp"

#include <zlib.h>

#include <algorithm>
#include <exception>
#include <span>

namespace umov::results {
namespace {

using namespace hdf5;

constexpr int deflate_level = 4;

/// Labels compress to almost nothing; fields do not, and are left as they are for speed.
bool is_compressed(const VoxelArray& array) {
  return array.is_label && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0;
}

/// Of what is compressed a plane is a chunk.
Id storage(const VoxelArray& array, const std::vector<hsize_t>& shape) {
  Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (is_compressed(array)) {
    auto chunk = shape;
    chunk[0] = 1;
    check(H5Pset_chunk(properties, int(chunk.size()), chunk.data()));
    check(H5Pset_deflate(properties, deflate_level));
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

/// Values of plane z at all points of it, [y][x][component], in `buffer`: a void layer is zero, a flat axis
/// may have two.
std::span<const double> plane_of(const VoxelGrid& grid, const VoxelArray& array, int z, PlaneBuffer& buffer) {
  const Int3 points = image_points(grid);
  const auto row = std::size_t(grid.cells[0]) * std::size_t(array.components);
  auto& slice = buffer.slice;
  slice.assign(row * std::size_t(grid.cells[1]), 0);
  array.fill(z, slice);
  if (points[0] == grid.cells[0] && points[1] == grid.cells[1]) return slice;
  auto& plane = buffer.plane;
  plane.assign(std::size_t(points[0]) * std::size_t(points[1]) * std::size_t(array.components), 0);
  for (int j = 0; j < grid.cells[1] * layers(grid, 1); ++j)
    for (int i = 0; i < layers(grid, 0); ++i)
      std::copy_n(slice.begin() + std::ptrdiff_t(row) * std::min(j, grid.cells[1] - 1), row,
                  plane.begin() + (std::ptrdiff_t(j) * points[0] + i) * array.components);
  return plane;
}

std::vector<hsize_t> shape_in_image(const VoxelGrid& grid, const VoxelArray& array) {
  const Int3 points = image_points(grid);
  std::vector<hsize_t> shape{hsize_t(points[2]), hsize_t(points[1]), hsize_t(points[0])};
  if (array.components > 1) shape.push_back(hsize_t(array.components));
  return shape;
}

Id make_array(hid_t group, const VoxelGrid& grid, const VoxelArray& array, hid_t properties) {
  Id space = space_of(shape_in_image(grid, array));
  Id data(
      H5Dcreate2(group, array.name.c_str(), stored_type(array), space, H5P_DEFAULT, properties, H5P_DEFAULT),
      H5Dclose);
  write_text(data, "unit", array.unit);
  write_text(data, "description", array.description);
  return data;
}

/// A chunk as HDF5's filter leaves it.
struct Chunk {
  std::vector<Bytef> bytes;
  std::uint32_t without = 0;  ///< filters that were left out, a bit each
};

/// Labels of a plane; HDF5 keeps as they are those that do not get smaller.
Chunk compressed(std::span<const double> plane) {
  const std::vector<Bytef> labels(plane.begin(), plane.end());
  Chunk chunk{std::vector<Bytef>(labels.size())};
  uLongf size = uLongf(labels.size());
  if (compress2(chunk.bytes.data(), &size, labels.data(), uLong(labels.size()), deflate_level) == Z_OK)
    chunk.bytes.resize(size);
  else
    chunk = {labels, 1};
  return chunk;
}

/// Planes of labels, compressed by all threads: HDF5 would do one after the other.
void write_compressed(hid_t data, const VoxelGrid& grid, const VoxelArray& array) {
  constexpr int at_once = 64;
  constexpr std::size_t worth_waking = 1 << 16;  // sites
  std::vector<hsize_t> start(shape_in_image(grid, array).size(), 0);
  const std::size_t area = std::size_t(grid.cells[0]) * std::size_t(grid.cells[1]);
  for (int first = 0; first < grid.cells[2]; first += at_once) {
    std::vector<Chunk> chunks(std::size_t(std::min(at_once, grid.cells[2] - first)));
    std::exception_ptr failed;
#pragma omp parallel if (area * chunks.size() >= worth_waking)
    {
      PlaneBuffer buffer;
#pragma omp for schedule(dynamic)
      for (std::size_t k = 0; k < chunks.size(); ++k) {
        try {
          chunks[k] = compressed(plane_of(grid, array, first + int(k), buffer));
        } catch (...) {
#pragma omp critical(umov_write_compressed)
          failed = std::current_exception();
        }
      }
    }
    if (failed) std::rethrow_exception(failed);
    for (std::size_t k = 0; k < chunks.size(); ++k)
      for (int copy = 0; copy < stored_copies(grid); ++copy) {
        start[0] = hsize_t(first) + k + hsize_t(copy);
        const auto& [bytes, without] = chunks[k];
        check(H5Dwrite_chunk(data, H5P_DEFAULT, without, start.data(), bytes.size(), bytes.data()));
      }
  }
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
  auto shape = shape_in_image(grid, array);
  Id properties = storage(array, shape);
  Id data = make_array(points, grid, array, properties);
  if (is_compressed(array)) return write_compressed(data, grid, array);
  Id space = space_of(shape);
  shape[0] = 1;
  Id plane_space = space_of(shape);
  std::vector<hsize_t> start(shape.size(), 0);
  PlaneBuffer buffer;
  for (int z = 0; z < grid.cells[2]; ++z) {
    const auto plane = plane_of(grid, array, z, buffer);
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
  const auto shape = shape_in_image(grid, array);
  std::uint64_t bytes = array.single ? sizeof(float) : sizeof(double);
  for (std::size_t i = 1; i < shape.size(); ++i) bytes *= shape[i];
  return {offset, bytes};
}

void close_written(Id& file) {
  check(H5Fflush(file, H5F_SCOPE_GLOBAL));
  file.close();
}

}  // namespace hdf5

std::span<const std::byte> stored_plane(const VoxelGrid& grid, const VoxelArray& array, int z,
                                        PlaneBuffer& buffer) {
  const auto plane = plane_of(grid, array, z, buffer);
  if (!array.single) return std::as_bytes(plane);
  buffer.single.assign(plane.begin(), plane.end());
  return std::as_bytes(std::span(buffer.single));
}

int stored_copies(const VoxelGrid& grid) { return layers(grid, 2); }

}  // namespace umov::results
