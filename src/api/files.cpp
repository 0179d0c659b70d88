#include "api/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>

#include "api/course.hpp"
#include "results/formats.hpp"
#include "results/hdf5_reader.hpp"
#include "results/hdf5_writer.hpp"
#include "run/finished.hpp"

namespace umov {

namespace {

namespace fs = std::filesystem;
using results::Array;
using results::Result;

constexpr const char* of_fields = "fields.h5";

std::string file_in(const std::string& folder, const char* name) {
  return (fs::path(folder) / name).string();
}

bool has_file(const std::string& folder, const char* name) {
  std::error_code ignored;
  return fs::is_regular_file(file_in(folder, name), ignored);
}

bool is_voxels(const Array& a) { return a.name.starts_with("voxels/"); }

/// What the families of the library add to the arrays of their commands.
bool is_field(const Array& a) {
  const auto begins = [&](const char* group) { return a.name.starts_with(group); };
  return std::ranges::any_of(
      std::initializer_list<const char*>{"dipoles/", "fourier/", "planes/", "fields/", "mesh/"}, begins);
}

/// A slice of an array of voxels is a stretch of it. Labels are called material, and floats as fields may be.
results::VoxelArray voxels_of(const Array& a) {
  const bool is_float = std::holds_alternative<std::vector<float>>(a.data);
  results::VoxelArray out{a.name.substr(a.name.find('/') + 1), a.unit, a.description, 1, false, {}, is_float};
  out.components = a.shape.size() > 3 ? int(a.shape[3]) : 1;
  out.is_label = out.name == "material";
  out.fill = [&a](int z, std::span<double> slice) {
    std::visit(
        [&](const auto& values) {
          if constexpr (!std::is_same_v<decltype(values[0]), const cplx&>)
            std::copy_n(values.begin() + std::ptrdiff_t(std::size_t(z) * slice.size()), slice.size(),
                        slice.begin());
        },
        a.data);
  };
  return out;
}

Result alike(const Result& r) {
  Result out;
  out.attributes = r.attributes;
  out.for_paraview = r.for_paraview;
  return out;
}

/// The library's file of HDF5 is one at a time.
std::mutex& one_at_a_time() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

void save(const Result& r, const std::string& folder) {
  Result whole = alike(r), fields = alike(r);
  whole.voxels = r.voxels;
  for (const Array& a : r.arrays) {
    if (!is_voxels(a))
      (is_field(a) ? fields : whole).arrays.push_back(a);
    else if (a.shape.size() >= 3)
      whole.voxels.arrays.push_back(voxels_of(a));
  }
  const std::lock_guard hold(one_at_a_time());
  results::write_hdf5_file(whole, folder);
  if (!fields.arrays.empty()) results::write_hdf5(fields, file_in(folder, of_fields));
}

Result open_results(const std::string& folder) {
  if (run::is_unfinished(folder))
    throw BadInput(fmt::format(
        "{}: the run there has not ended (it was stopped, or goes on); continue it, or wait", folder));
  const char* name = has_file(folder, "results.vtkhdf") ? "results.vtkhdf" : "results.h5";
  if (!has_file(folder, name))
    throw BadInput(
        fmt::format("{}: no results there (neither results.vtkhdf nor results.h5); name the folder of a "
                    "run, with [output] hdf5 = true",
                    folder));
  const std::lock_guard hold(one_at_a_time());
  Result r = results::read_hdf5(file_in(folder, name));
  r.for_paraview = name == std::string("results.vtkhdf");
  if (has_file(folder, of_fields)) {
    Result fields = results::read_hdf5(file_in(folder, of_fields));
    std::ranges::move(fields.arrays, std::back_inserter(r.arrays));
  }
  api::own_voxels(r);
  return r;
}

}  // namespace umov
