// Names, shapes and values out of HDF5 files. The library is not made for several threads: one at a time.
#include "results/hdf5_reader.hpp"

#include <algorithm>
#include <memory>
#include <span>

#include "results/hdf5_read_parts.hpp"

namespace umov::results {
namespace {

using namespace hdf5;

constexpr int deepest = 8;

void list_array(hid_t data, const std::string& name, StoredFile& out) {
  Id type(H5Dget_type(data), H5Tclose);
  if (H5Tget_class(type) != H5T_FLOAT) return;
  StoredArray a;
  a.name = name;
  a.unit = text_attribute(data, "unit");
  a.description = text_attribute(data, "description");
  for (const hsize_t n : shape_of(data)) a.shape.push_back(n);
  if (a.shape.empty()) check(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &a.value));
  out.arrays.push_back(std::move(a));
}

void list_group(hid_t group, const std::string& prefix, int depth, StoredFile& out) {
  if (depth > deepest || out.arrays.size() > most_objects) return;
  visit_links(group, [&](const std::string& name, H5I_type_t kind, hid_t object) {
    if (depth == 0 && name == "VTKHDF") return;
    if (kind == H5I_GROUP) list_group(object, prefix + name + "/", depth + 1, out);
    if (kind == H5I_DATASET) list_array(object, prefix + name, out);
  });
}

void list_image(hid_t file, StoredFile& out) {
  if (H5Lexists(file, "VTKHDF", H5P_DEFAULT) <= 0) return;
  Id group(H5Gopen2(file, "VTKHDF", H5P_DEFAULT), H5Gclose);
  if (text_attribute(group, "Type") != "ImageData") return;
  const auto extent = number_attribute(group, "WholeExtent", 6),
             origin = number_attribute(group, "Origin", 3), spacing = number_attribute(group, "Spacing", 3);
  // The second layer of a flat image is there for VTK's readers.
  const auto layers =
      H5Aexists(group, "Layers") > 0 ? number_attribute(group, "Layers", 3) : std::vector<double>(3, 2.0);
  Int3 stored;
  for (int a = 0; a < 3; ++a) {
    const double n = extent[2 * a + 1] - extent[2 * a] + 1;
    if (!(n >= 1 && n < 1e9)) refuse("an image without points");
    stored[a] = int(n);
    out.cells[a] = stored[a] == 2 && layers[a] == 1 ? 1 : stored[a];
    out.spacing[a] = spacing[a];
    out.origin[a] = origin[a] - 0.5 * spacing[a];
  }
  Id points(H5Gopen2(group, "PointData", H5P_DEFAULT), H5Gclose);
  visit_links(points, [&](const std::string& name, H5I_type_t kind, hid_t data) {
    if (kind != H5I_DATASET) return;
    const auto shape = shape_of(data);
    if (shape.size() < 3 || shape.size() > 4) return;
    for (int a = 0; a < 3; ++a)
      if (shape[2 - a] != hsize_t(stored[a])) refuse("an image and its values differ in size");
    Id type(H5Dget_type(data), H5Tclose);
    out.images.push_back({"VTKHDF/PointData/" + name, name, text_attribute(data, "unit"),
                          text_attribute(data, "description"), shape.size() == 4 ? int(shape[3]) : 1,
                          H5Tget_class(type) == H5T_INTEGER});
  });
}

template <class T>
std::vector<T> read_values(hid_t data, hid_t type, const std::vector<hsize_t>& count) {
  hsize_t values = 1;
  for (const hsize_t n : count) values = n > 0 && values > most_values / n ? most_values + 1 : values * n;
  if (values > most_values) refuse("too many values");
  std::vector<T> out(values);
  if (values == 0) return out;
  Id space(H5Dget_space(data), H5Sclose);
  const std::vector<hsize_t> start(count.size(), 0);
  if (!count.empty())
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
  Id memory = space_of(count);
  check(H5Dread(data, type, memory, space, H5P_DEFAULT, out.data()));
  return out;
}

/// Numbers as they are stored; nothing where they are none of ours.
void read_array(hid_t data, const std::string& name, Result& out) {
  Id type(H5Dget_type(data), H5Tclose);
  const auto kind = H5Tget_class(type);
  if (kind != H5T_FLOAT && kind != H5T_COMPOUND) return;
  const auto shape = shape_of(data);
  Array a{name, text_attribute(data, "unit"), text_attribute(data, "description"), {}, {}};
  a.shape.assign(shape.begin(), shape.end());
  if (kind == H5T_COMPOUND)
    a.data = read_values<cplx>(data, complex_type(), shape);
  else if (H5Tget_size(type) == sizeof(float))
    a.data = read_values<float>(data, H5T_NATIVE_FLOAT, shape);
  else
    a.data = read_values<double>(data, H5T_NATIVE_DOUBLE, shape);
  out.arrays.push_back(std::move(a));
}

void read_group(hid_t group, const std::string& prefix, int depth, Result& out) {
  if (depth > deepest || out.arrays.size() > most_objects) return;
  visit_links(group, [&](const std::string& name, H5I_type_t kind, hid_t object) {
    if (depth == 0 && name == "VTKHDF") return;
    if (kind == H5I_GROUP) read_group(object, prefix + name + "/", depth + 1, out);
    if (kind == H5I_DATASET) read_array(object, prefix + name, out);
  });
}

/// The image's array with its values, from which slices are copied.
VoxelArray read_voxels(hid_t file, const StoredImage& image, const Int3& cells) {
  Id data(H5Dopen2(file, image.path.c_str(), H5P_DEFAULT), H5Dclose);
  Id type(H5Dget_type(data), H5Tclose);
  VoxelArray out{image.name, image.unit, image.description, image.components, image.is_label, {}, false};
  out.single = H5Tget_class(type) == H5T_FLOAT && H5Tget_size(type) == sizeof(float);
  std::vector<hsize_t> count{hsize_t(cells[2]), hsize_t(cells[1]), hsize_t(cells[0])};
  if (image.components > 1) count.push_back(hsize_t(image.components));
  const auto values =
      std::make_shared<const std::vector<double>>(read_values<double>(data, H5T_NATIVE_DOUBLE, count));
  out.fill = [values](int z, std::span<double> slice) {
    std::copy_n(values->begin() + std::ptrdiff_t(std::size_t(z) * slice.size()), slice.size(), slice.begin());
  };
  return out;
}

herr_t read_text(hid_t file, const char* name, const H5A_info_t*, void* out) {
  if (auto text = text_attribute(file, name); !text.empty())
    static_cast<Result*>(out)->attributes.emplace_back(name, text);
  return 0;
}

}  // namespace

StoredFile list_hdf5(const std::string& path) {
  return reading(path, [&](hid_t file) {
    StoredFile out;
    for (const char* name : {"program", "version", "device", "command_line", "warnings", "notes",
                             "conventions", "parameters", "given", "responses", "counts"})
      if (auto text = text_attribute(file, name); !text.empty()) out.attributes.emplace_back(name, text);
    list_group(file, "", 0, out);
    list_image(file, out);
    return out;
  });
}

std::vector<float> read_image(const std::string& path, const StoredImage& image, int component,
                              const Int3& lo, const Int3& hi) {
  return reading(path, [&](hid_t file) {
    Id data(H5Dopen2(file, image.path.c_str(), H5P_DEFAULT), H5Dclose);
    Id space(H5Dget_space(data), H5Sclose);
    std::vector<hsize_t> start, count;
    hsize_t values = 1;
    for (int a = 2; a >= 0; --a) {
      start.push_back(hsize_t(lo[a]));
      count.push_back(hsize_t(hi[a] - lo[a]));
      values *= count.back();
    }
    if (values > most_values) refuse("more values than fit the memory; a smaller region is wanted");
    if (image.components > 1) {
      start.push_back(hsize_t(component));
      count.push_back(1);
    }
    if (H5Sget_simple_extent_ndims(space) != int(count.size())) refuse("the file has changed");
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
    if (H5Sselect_valid(space) <= 0) refuse("the file has changed");
    Id memory = space_of(count);
    std::vector<float> out(values);
    check(H5Dread(data, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, out.data()));
    return out;
  });
}

Result read_hdf5(const std::string& path) {
  return reading(path, [&](hid_t file) {
    Result out;
    check(H5Aiterate2(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, read_text, &out));
    read_group(file, "", 0, out);
    StoredFile image;
    list_image(file, image);
    out.voxels.cells = image.cells, out.voxels.origin = image.origin, out.voxels.spacing = image.spacing;
    for (const auto& array : image.images) out.voxels.arrays.push_back(read_voxels(file, array, image.cells));
    return out;
  });
}

std::vector<double> read_list(const std::string& path, const std::string& name) {
  return reading(path, [&](hid_t file) { return rows_of<double>(file, name, H5T_NATIVE_DOUBLE); });
}

}  // namespace umov::results
