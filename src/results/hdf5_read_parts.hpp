// Parts of the readers of HDF5: texts, numbers, rows, what a group holds; with limits on all of it, as files
// may come from anywhere.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "results/hdf5_parts.hpp"

namespace umov::results::hdf5 {

inline constexpr hsize_t most_objects = 10000, most_text = 1 << 20, most_values = hsize_t(1) << 29;

/// The library is not made for several threads: one at a time.
inline std::mutex& one_at_a_time() {
  static std::mutex mutex;
  return mutex;
}

/// Opens the file and reads. Throws BadInput naming it.
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

[[noreturn]] inline void refuse(const char* why) { throw Hdf5Error{why}; }

inline std::string text_attribute(hid_t where, const char* name) {
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

inline std::vector<double> number_attribute(hid_t where, const char* name, std::size_t count) {
  Id attribute(H5Aopen(where, name, H5P_DEFAULT), H5Aclose);
  Id space(H5Aget_space(attribute), H5Sclose);
  if (H5Sget_simple_extent_npoints(space) != hssize_t(count)) refuse("an attribute of another length");
  std::vector<double> values(count);
  check(H5Aread(attribute, H5T_NATIVE_DOUBLE, values.data()));
  return values;
}

inline std::vector<hsize_t> shape_of(hid_t data) {
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

}  // namespace umov::results::hdf5
