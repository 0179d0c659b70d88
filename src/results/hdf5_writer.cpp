// Results as HDF5: arrays with units, provenance, and voxels as VTK reads them.
#include "results/hdf5_writer.hpp"

#include <algorithm>
#include <filesystem>

#include "core/atomic_file.hpp"
#include "results/formats.hpp"
#include "results/hdf5_parts.hpp"

namespace umov::results {
namespace {

using namespace hdf5;

Id type_of(const Array& array) {
  if (std::holds_alternative<std::vector<cplx>>(array.data)) return complex_type();
  const bool single = std::holds_alternative<std::vector<float>>(array.data);
  return {H5Tcopy(single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE), H5Tclose};
}

void write_array(hid_t file, const Array& array) {
  Id links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  check(H5Pset_create_intermediate_group(links, 1));
  Id space = space_of({array.shape.begin(), array.shape.end()});
  Id type = type_of(array);
  Id data(H5Dcreate2(file, array.name.c_str(), type, space, links, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  const void* values =
      std::visit([](const auto& v) { return static_cast<const void*>(v.data()); }, array.data);
  if (array.size() > 0) check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  write_text(data, "unit", array.unit);
  write_text(data, "description", array.description);
}

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

/// Puts a slice where it belongs, and into the second layer of every flat axis that asks for it.
void write_slice(hid_t data, hid_t space, const VoxelGrid& grid, int z, const std::vector<hsize_t>& shape,
                 const std::vector<double>& slice) {
  const auto layers = [&](int axis) { return grid.repeat_flat && grid.cells[axis] == 1 ? 2 : 1; };
  Id slice_space = space_of(shape);
  std::vector<hsize_t> start(shape.size(), 0);
  for (int k = 0; k < layers(2); ++k)
    for (int j = 0; j < layers(1); ++j)
      for (int i = 0; i < layers(0); ++i) {
        start[0] = hsize_t(z + k);
        start[1] = hsize_t(j);
        start[2] = hsize_t(i);
        check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, shape.data(), nullptr));
        check(H5Dwrite(data, H5T_NATIVE_DOUBLE, slice_space, space, H5P_DEFAULT, slice.data()));
      }
}

void write_voxel_array(hid_t group, const VoxelGrid& grid, const VoxelArray& array) {
  const Int3 points = image_points(grid);
  std::vector<hsize_t> shape{hsize_t(points[2]), hsize_t(points[1]), hsize_t(points[0])};
  std::vector<hsize_t> slice_shape{1, hsize_t(grid.cells[1]), hsize_t(grid.cells[0])};
  if (array.components > 1) {
    shape.push_back(array.components);
    slice_shape.push_back(array.components);
  }
  Id space = space_of(shape);
  Id properties = storage(array, shape);
  Id data(
      H5Dcreate2(group, array.name.c_str(), stored_type(array), space, H5P_DEFAULT, properties, H5P_DEFAULT),
      H5Dclose);
  std::vector<double> slice(std::size_t(grid.cells[0]) * grid.cells[1] * array.components);
  for (int z = 0; z < grid.cells[2]; ++z) {
    std::fill(slice.begin(), slice.end(), 0.0);
    array.fill(z, slice);
    write_slice(data, space, grid, z, slice_shape, slice);
  }
  write_text(data, "unit", array.unit);
  write_text(data, "description", array.description);
}

/// Dipoles are the points of the image. Cell data would say "voxel" more directly, but the reader of VTK 9.1
/// (ParaView 5.10) asks for one value too many per axis there and fails, and contours need point data.
void write_voxels(hid_t file, const VoxelGrid& grid) {
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
  Id data(H5Gcreate2(group, "PointData", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  for (const auto& array : grid.arrays) write_voxel_array(data, grid, array);
}

void write_all(const Result& result, const std::string& path) {
  Id file = create_file(path);
  for (const auto& [name, text] : result.attributes) write_text(file, name, text);
  for (const auto& array : result.arrays) write_array(file, array);
  const auto& cells = result.voxels.cells;
  if (cells[0] > 0 && cells[1] > 0 && cells[2] > 0) write_voxels(file, result.voxels);
  check(H5Fflush(file, H5F_SCOPE_GLOBAL));
  file.close();
}

}  // namespace

void write_hdf5(const Result& result, const std::string& path) {
  AsideFile file(path);
  hdf5::guarded(path, [&] { write_all(result, file.aside()); });
  file.commit();
}

void write_hdf5_file(const Result& result, const std::string& folder) {
  const char* name = result.for_paraview ? "results.vtkhdf" : "results.h5";
  write_hdf5(result, (std::filesystem::path(folder) / name).string());
}

}  // namespace umov::results
