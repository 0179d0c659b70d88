// Names, shapes and values out of HDF5 files. The library is not made for several threads: one at a time.
#include "results/hdf5_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "core/error.hpp"
#include "results/hdf5_parts.hpp"

namespace umov::results {
namespace {

using namespace hdf5;

constexpr hsize_t most_objects = 10000, most_text = 1 << 20, most_values = hsize_t(1) << 29;
constexpr int deepest = 8;

std::mutex& one_at_a_time() {
  static std::mutex mutex;
  return mutex;
}

template <class Read>
auto reading(const std::string& path, const Read& read) {
  const std::lock_guard lock(one_at_a_time());
  const QuietErrors quiet;
  try {
    Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    return read(file);
  } catch (const Hdf5Error& e) {
    throw BadInput(
        fmt::format("{} cannot be read as HDF5 ({}); it is damaged, or still being written", path, e.why));
  }
}

[[noreturn]] void refuse(const char* why) { throw Hdf5Error{why}; }

std::string text_attribute(hid_t where, const char* name) {
  if (H5Aexists(where, name) <= 0) return "";
  Id attribute(H5Aopen(where, name, H5P_DEFAULT), H5Aclose);
  Id type(H5Aget_type(attribute), H5Tclose);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) return "";
  const std::size_t size = H5Tget_size(type);
  Id space(H5Aget_space(attribute), H5Sclose);
  if (size == 0 || size > most_text || H5Sget_simple_extent_npoints(space) != 1) return "";
  std::string text(size, '\0');
  check(H5Aread(attribute, type, text.data()));
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

std::vector<double> number_attribute(hid_t where, const char* name, std::size_t count) {
  Id attribute(H5Aopen(where, name, H5P_DEFAULT), H5Aclose);
  Id space(H5Aget_space(attribute), H5Sclose);
  if (H5Sget_simple_extent_npoints(space) != hssize_t(count)) refuse("an attribute of another length");
  std::vector<double> values(count);
  check(H5Aread(attribute, H5T_NATIVE_DOUBLE, values.data()));
  return values;
}

std::vector<hsize_t> shape_of(hid_t data) {
  Id space(H5Dget_space(data), H5Sclose);
  std::vector<hsize_t> shape(std::size_t(check(H5Sget_simple_extent_ndims(space))));
  check(H5Sget_simple_extent_dims(space, shape.data(), nullptr));
  return shape;
}

/// The whole of a set of numbers, or `count` rows from `first` on.
template <class T>
std::vector<T> rows_of(hid_t file, const std::string& name, hid_t type, hsize_t first = 0,
                       hsize_t count = H5S_UNLIMITED) {
  Id data(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  auto shape = shape_of(data);
  if (shape.empty()) refuse("a single number where a list is wanted");
  std::vector<hsize_t> start(shape.size(), 0);
  if (count != H5S_UNLIMITED) {
    if (first > shape[0] || count > shape[0] - first) refuse("fewer rows than told");
    start[0] = first;
    shape[0] = count;
  }
  hsize_t values = 1;
  for (const hsize_t n : shape) values = n == 0 || values > most_values / n ? most_values + 1 : values * n;
  if (values > most_values) refuse("no values, or too many");
  Id space(H5Dget_space(data), H5Sclose);
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, shape.data(), nullptr));
  Id memory = space_of(shape);
  std::vector<T> out(values);
  check(H5Dread(data, type, memory, space, H5P_DEFAULT, out.data()));
  return out;
}

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

/// Calls f(name, is_group) for what lies in a group.
template <class Visit>
void visit_links(hid_t group, const Visit& f) {
  H5G_info_t info;
  check(H5Gget_info(group, &info));
  for (hsize_t i = 0; i < std::min(info.nlinks, most_objects); ++i) {
    char name[512] = {};
    if (check(H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name,
                                 H5P_DEFAULT)) >= ssize_t(sizeof name))
      continue;
    H5L_info_t link;
    // Links that lead elsewhere are not followed: the file may come from anywhere.
    if (H5Lget_info(group, name, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD) continue;
    Id object(H5Oopen(group, name, H5P_DEFAULT), H5Oclose);
    f(std::string(name), H5I_type_t(H5Iget_type(object)), hid_t(object));
  }
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
  for (int a = 0; a < 3; ++a) {
    const double n = extent[2 * a + 1] - extent[2 * a] + 1;
    if (!(n >= 1 && n < 1e9)) refuse("an image without points");
    out.cells[a] = int(n);
    out.spacing[a] = spacing[a];
    out.origin[a] = origin[a] - 0.5 * spacing[a];
  }
  Id points(H5Gopen2(group, "PointData", H5P_DEFAULT), H5Gclose);
  visit_links(points, [&](const std::string& name, H5I_type_t kind, hid_t data) {
    if (kind != H5I_DATASET) return;
    const auto shape = shape_of(data);
    if (shape.size() < 3 || shape.size() > 4) return;
    for (int a = 0; a < 3; ++a)
      if (shape[2 - a] != hsize_t(out.cells[a])) refuse("an image and its values differ in size");
    Id type(H5Dget_type(data), H5Tclose);
    out.images.push_back({"VTKHDF/PointData/" + name, name, text_attribute(data, "unit"),
                          text_attribute(data, "description"), shape.size() == 4 ? int(shape[3]) : 1,
                          H5Tget_class(type) == H5T_INTEGER});
  });
}

}  // namespace

StoredFile list_hdf5(const std::string& path) {
  return reading(path, [&](hid_t file) {
    StoredFile out;
    for (const char* name :
         {"program", "version", "device", "command_line", "warnings", "notes", "conventions"})
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

std::vector<double> read_list(const std::string& path, const std::string& name) {
  return reading(path, [&](hid_t file) { return rows_of<double>(file, name, H5T_NATIVE_DOUBLE); });
}

bool is_mesh_file(const std::string& path) {
  return reading(path, [&](hid_t file) {
    if (H5Lexists(file, "VTKHDF", H5P_DEFAULT) <= 0) return false;
    Id group(H5Gopen2(file, "VTKHDF", H5P_DEFAULT), H5Gclose);
    return text_attribute(group, "Type") == "UnstructuredGrid";
  });
}

namespace {

std::vector<std::string> names_in(hid_t file, const std::string& group) {
  std::vector<std::string> names;
  if (H5Lexists(file, group.c_str(), H5P_DEFAULT) <= 0) return names;
  Id g(H5Gopen2(file, group.c_str(), H5P_DEFAULT), H5Gclose);
  visit_links(g, [&](const std::string& name, H5I_type_t kind, hid_t) {
    if (kind == H5I_DATASET) names.push_back(name);
  });
  return names;
}

void read_values(hid_t file, StoredMesh& m) {
  const auto names = names_in(file, "VTKHDF/PointData");
  hsize_t step = 0;
  if (H5Lexists(file, "VTKHDF/Steps", H5P_DEFAULT) > 0) {
    Id steps(H5Gopen2(file, "VTKHDF/Steps", H5P_DEFAULT), H5Gclose);
    const double n = number_attribute(steps, "NSteps", 1)[0];
    if (!(n >= 1 && n < 1e9)) return;  // none is saved yet
    step = hsize_t(n) - 1;
    m.time = rows_of<double>(file, "VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE, step, 1)[0];
  }
  if (names.empty()) return;
  m.value_name = names.front();
  m.values = rows_of<float>(file, "VTKHDF/PointData/" + names.front(), H5T_NATIVE_FLOAT,
                            step * m.points.size(), m.points.size());
}

}  // namespace

StoredMesh read_mesh_file(const std::string& path) {
  return reading(path, [&](hid_t file) {
    StoredMesh m;
    const auto points = rows_of<double>(file, "VTKHDF/Points", H5T_NATIVE_DOUBLE);
    const auto corners = rows_of<std::int64_t>(file, "VTKHDF/Connectivity", H5T_NATIVE_INT64);
    const auto offsets = rows_of<std::int64_t>(file, "VTKHDF/Offsets", H5T_NATIVE_INT64);
    for (std::size_t i = 0; i + 2 < points.size(); i += 3)
      m.points.push_back({points[i], points[i + 1], points[i + 2]});
    for (std::size_t c = 0; c + 1 < offsets.size(); ++c) {
      // An element of second order begins with its four vertices.
      const auto first = offsets[c];
      if (first < 0 || offsets[c + 1] - first < 4 || offsets[c + 1] > std::int64_t(corners.size()))
        refuse("elements that are no tetrahedra");
      auto& tet = m.tets.emplace_back();
      for (int v = 0; v < 4; ++v) {
        tet[std::size_t(v)] = corners[std::size_t(first + v)];
        if (tet[std::size_t(v)] < 0 || tet[std::size_t(v)] >= std::int64_t(m.points.size()))
          refuse("an element with a vertex that is none");
      }
    }
    m.material.assign(m.tets.size(), 0);
    if (H5Lexists(file, "VTKHDF/CellData", H5P_DEFAULT) > 0 &&
        H5Lexists(file, "VTKHDF/CellData/material", H5P_DEFAULT) > 0) {
      m.material = rows_of<int>(file, "VTKHDF/CellData/material", H5T_NATIVE_INT);
      if (m.material.size() != m.tets.size()) refuse("materials and elements differ in number");
    }
    m.materials = text_attribute(file, "materials");
    read_values(file, m);
    return m;
  });
}

}  // namespace umov::results
