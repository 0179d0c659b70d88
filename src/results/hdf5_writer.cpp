// Results as HDF5: arrays with units and provenance, at once or after their image.
#include "results/hdf5_writer.hpp"

#include <algorithm>
#include <filesystem>

#include "core/atomic_file.hpp"
#include "results/formats.hpp"
#include "results/hdf5_image.hpp"
#include "results/image_file.hpp"

namespace umov::results {
namespace {

using namespace hdf5;

Id type_of(const Array& array) {
  if (std::holds_alternative<std::vector<cplx>>(array.data)) return complex_type();
  const bool single = std::holds_alternative<std::vector<float>>(array.data);
  return {H5Tcopy(single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE), H5Tclose};
}

/// Objects without the time at which they were made: the same results are the same file.
Id timeless(hid_t kind) {
  Id properties(H5Pcreate(kind), H5Pclose);
  check(H5Pset_obj_track_times(properties, false));
  return properties;
}

/// The groups that a name goes through.
void make_groups(hid_t file, const std::string& name) {
  for (auto end = name.find('/'); end != name.npos; end = name.find('/', end + 1)) {
    const std::string group = name.substr(0, end);
    if (group.empty() || H5Lexists(file, group.c_str(), H5P_DEFAULT) > 0) continue;
    Id made(H5Gcreate2(file, group.c_str(), H5P_DEFAULT, timeless(H5P_GROUP_CREATE), H5P_DEFAULT), H5Gclose);
  }
}

void write_array(hid_t file, const Array& array) {
  make_groups(file, array.name);
  Id space = space_of({array.shape.begin(), array.shape.end()});
  Id type = type_of(array);
  Id data(H5Dcreate2(file, array.name.c_str(), type, space, H5P_DEFAULT, timeless(H5P_DATASET_CREATE),
                     H5P_DEFAULT),
          H5Dclose);
  const void* values =
      std::visit([](const auto& v) { return static_cast<const void*>(v.data()); }, array.data);
  if (array.size() > 0) check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  write_text(data, "unit", array.unit);
  write_text(data, "description", array.description);
}

/// All but the image.
void write_numbers(hid_t file, const Result& result) {
  for (const auto& [name, text] : result.attributes) write_text(file, name, text);
  for (const auto& array : result.arrays) write_array(file, array);
}

void write_all(const Result& result, const std::string& path) {
  Id file = create_file(path);
  write_numbers(file, result);
  if (has_image(result.voxels)) {
    Id points = begin_image(file, result.voxels);
    for (const auto& array : result.voxels.arrays) write_image_array(points, result.voxels, array);
  }
  close_written(file);
}

}  // namespace

ImageFile::ImageFile(const std::string& path) : file_(path) {}

void write_hdf5(const Result& result, const std::string& path) {
  AsideFile file(path);
  hdf5::guarded(path, [&] { write_all(result, file.aside()); });
  file.commit();
}

std::vector<StoredPlanes> ImageFile::add(const VoxelGrid& image) {
  std::vector<StoredPlanes> places;
  hdf5::guarded(path(), [&] {
    const bool begun = !there_.empty();
    Id file =
        begun ? Id(H5Fopen(aside().c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose) : create_file(aside());
    Id points = begun ? open_points(file) : begin_image(file, image);
    for (const auto& array : image.arrays) {
      places.push_back(reserve_image_array(points, image, array));
      there_.push_back(array.name);
    }
    points.close();
    close_written(file);
  });
  return places;
}

void ImageFile::complete(const Result& result) {
  hdf5::guarded(path(), [&] {
    Id file(H5Fopen(aside().c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    write_numbers(file, result);
    Id points = open_points(file);
    for (const auto& array : result.voxels.arrays)
      if (std::find(there_.begin(), there_.end(), array.name) == there_.end())
        write_image_array(points, result.voxels, array);
    points.close();
    close_written(file);
  });
  file_.commit();
}

void write_hdf5_file(const Result& result, const std::string& folder) {
  const char* name = result.for_paraview ? "results.vtkhdf" : "results.h5";
  write_hdf5(result, (std::filesystem::path(folder) / name).string());
}

}  // namespace umov::results
