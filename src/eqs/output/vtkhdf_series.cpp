// Datasets of VTKHDF, grown frame by frame; a file adopted again when a run resumes.
#include "eqs/output/vtkhdf_series.hpp"

#include <cmath>
#include <filesystem>

#include "core/error.hpp"
#include "results/hdf5_parts.hpp"

namespace umov::eqs {

using namespace results::hdf5;

namespace {

constexpr const char *potential_name = "potential", *field_name = "E", *loss_name = "loss",
                     *electrode_name = "electrode";

Id group(hid_t where, const char* name) {
  Id properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(properties, false));  // equal runs give equal bytes
  return {H5Gcreate2(where, name, H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose};
}

/// An array that is there at once, or (no values) filled in later; its space is on the disk from now on.
void write_dataset(hid_t where, const char* name, hid_t stored, const std::vector<hsize_t>& shape,
                   hid_t memory = -1, const void* values = nullptr, const char* unit = nullptr) {
  Id space = space_of(shape);
  Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY));
  check(H5Pset_obj_track_times(properties, false));
  Id data(H5Dcreate2(where, name, stored, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose);
  if (values) check(H5Dwrite(data, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  if (unit) write_text(data, "unit", unit);
}

void write_integers(hid_t where, const char* name, const std::vector<std::int64_t>& values,
                    std::vector<hsize_t> shape = {}) {
  if (shape.empty()) shape = {values.size()};
  write_dataset(where, name, H5T_STD_I64LE, shape, H5T_NATIVE_INT64, values.data());
}

void write_points(hid_t root, const Problem& p) {
  std::vector<double> x;
  x.reserve(3 * std::size_t(p.nodes));
  for (const Vec3& v : p.mesh.nodes) x.insert(x.end(), v.begin(), v.end());
  if (p.order == 2)
    for (const auto& e : p.edges.ends) {
      const Vec3 v = 0.5 * (p.mesh.nodes[e[0]] + p.mesh.nodes[e[1]]);
      x.insert(x.end(), v.begin(), v.end());
    }
  write_dataset(root, "Points", H5T_IEEE_F64LE, {x.size() / 3, 3}, H5T_NATIVE_DOUBLE, x.data());
}

void write_cells(hid_t root, const Problem& p) {
  const std::size_t cells = p.mesh.tets.size();
  const int corners = p.order == 2 ? 10 : 4;
  constexpr std::uint8_t tetra = 10, quadratic_tetra = 24;  // VTK's numbers of cell types
  std::vector<std::int64_t> connectivity, offsets{0};
  connectivity.reserve(cells * std::size_t(corners));
  offsets.reserve(cells + 1);
  for (std::size_t i = 0; i < cells; ++i) {
    for (int k = 0; k < corners; ++k) connectivity.push_back(p.node(int(i), k));
    offsets.push_back(std::int64_t(connectivity.size()));
  }
  write_integers(root, "NumberOfPoints", {p.nodes});
  write_integers(root, "NumberOfCells", {std::int64_t(cells)});
  write_integers(root, "NumberOfConnectivityIds", {std::int64_t(connectivity.size())});
  write_integers(root, "Connectivity", connectivity);
  write_integers(root, "Offsets", offsets);
  const std::vector<std::uint8_t> types(cells, p.order == 2 ? quadratic_tetra : tetra);
  write_dataset(root, "Types", H5T_STD_U8LE, {cells}, H5T_NATIVE_UINT8, types.data());
}

/// Where the values of each step begin. The mesh and the material are the same in all.
void write_steps(hid_t root, const std::vector<double>& times, std::size_t points, std::size_t cells,
                 bool losses, double period) {
  const std::size_t n = times.size();
  Id steps = group(root, "Steps");
  write_attribute(steps, "NSteps", std::vector<std::int64_t>{0});
  if (period > 0) write_attribute(steps, "Period", std::vector<double>{period});
  write_dataset(steps, "Values", H5T_IEEE_F64LE, {n}, H5T_NATIVE_DOUBLE, times.data());
  const std::vector<std::int64_t> zeros(n, 0), ones(n, 1);
  write_integers(steps, "PartOffsets", zeros);
  write_integers(steps, "NumberOfParts", ones);
  write_integers(steps, "PointOffsets", zeros);
  write_integers(steps, "CellOffsets", zeros, {n, 1});
  write_integers(steps, "ConnectivityIdOffsets", zeros, {n, 1});
  const auto every = [&](std::size_t stride) {
    std::vector<std::int64_t> list;
    for (std::size_t i = 0; i < n; ++i) list.push_back(std::int64_t(i * stride));
    return list;
  };
  Id point_data = group(steps, "PointDataOffsets"), cell_data = group(steps, "CellDataOffsets");
  write_integers(point_data, potential_name, every(points));
  write_integers(point_data, electrode_name, zeros);
  write_integers(cell_data, field_name, every(cells));
  if (losses) write_integers(cell_data, loss_name, every(cells));
  write_integers(cell_data, "material", zeros);
}

Id open_file(const std::string& path) { return {H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose}; }

/// Puts rows from `first` on.
template <class T>
void write_rows(hid_t file, const std::string& name, hid_t type, std::size_t first, std::size_t rows,
                std::size_t columns, const T* values) {
  Id data(H5Dopen2(file, ("VTKHDF/" + name).c_str(), H5P_DEFAULT), H5Dclose);
  Id space(H5Dget_space(data), H5Sclose);
  std::vector<hsize_t> start{first}, count{rows};
  if (columns > 1) start.push_back(0), count.push_back(columns);
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
  Id memory = space_of(count);
  check(H5Dwrite(data, type, memory, space, H5P_DEFAULT, values));
}

void set_steps(hid_t file, std::size_t n) {
  Id steps(H5Gopen2(file, "VTKHDF/Steps", H5P_DEFAULT), H5Gclose);
  Id attribute(H5Aopen(steps, "NSteps", H5P_DEFAULT), H5Aclose);
  const auto value = std::int64_t(n);
  check(H5Awrite(attribute, H5T_NATIVE_INT64, &value));
}

std::vector<hsize_t> shape_of(hid_t file, const std::string& name) {
  Id data(H5Dopen2(file, ("VTKHDF/" + name).c_str(), H5P_DEFAULT), H5Dclose);
  Id space(H5Dget_space(data), H5Sclose);
  std::vector<hsize_t> shape(std::size_t(check(H5Sget_simple_extent_ndims(space))));
  check(H5Sget_simple_extent_dims(space, shape.data(), nullptr));
  return shape;
}

}  // namespace

VtkhdfSeries::VtkhdfSeries(std::string path, double period) : place_(path, path + ".part"), period_(period) {}

void VtkhdfSeries::create(const Problem& p, const std::vector<double>& times) {
  place_.create();
  Id file = create_file(place_.aside());
  {
    Id root = group(file, "VTKHDF");
    write_attribute(root, "Version", std::vector<std::int64_t>{2, 0});
    write_text(root, "Type", "UnstructuredGrid");
    write_points(root, p);
    write_cells(root, p);
    Id point_data = group(root, "PointData"), cell_data = group(root, "CellData");
    write_dataset(point_data, potential_name, H5T_IEEE_F32LE, {times.size() * points_}, -1, nullptr, "V");
    std::vector<int> electrode = p.node_electrode;
    electrode.resize(points_, -1);  // a problem without electrodes has none
    write_dataset(point_data, electrode_name, H5T_STD_I32LE, {points_}, H5T_NATIVE_INT, electrode.data());
    write_dataset(cell_data, field_name, H5T_IEEE_F32LE, {times.size() * cells_, 3}, -1, nullptr, "V/m");
    write_dataset(cell_data, "material", H5T_STD_I32LE, {cells_}, H5T_NATIVE_INT, p.material.data());
    if (!losses_.empty())
      write_dataset(cell_data, loss_name, H5T_IEEE_F32LE, {times.size() * cells_}, -1, nullptr, "W/m^3");
    write_steps(root, times, points_, cells_, !losses_.empty(), period_);
    std::string names;
    for (const auto& m : p.materials) names += (names.empty() ? "" : ", ") + m.name;
    write_text(file, "materials", names);
    names.clear();
    for (const auto& e : p.electrodes) names += (names.empty() ? "" : ", ") + e.name;
    if (!names.empty()) write_text(file, "electrodes", names);
  }
  check(H5Fflush(file, H5F_SCOPE_GLOBAL));
  file.close();
}

void VtkhdfSeries::adopt(std::size_t frames, std::size_t done) {
  namespace fs = std::filesystem;
  const std::string lost = place_.aside() +
                           ": the fields saved before the interruption are not there any more (a resumed run "
                           "continues this file); run the case again, or with `output.vtk = false`";
  std::error_code failed;
  // A run that ended without converging has put its file in place.
  if (!fs::exists(fs::symlink_status(place_.aside(), failed)))
    fs::rename(place_.path(), place_.aside(), failed);
  if (!place_.is_there()) throw BadInput(lost);
  try {
    const QuietErrors quiet;
    Id file = open_file(place_.aside());
    if (shape_of(file, std::string("PointData/") + potential_name) !=
            std::vector<hsize_t>{frames * points_} ||
        shape_of(file, std::string("CellData/") + field_name) != std::vector<hsize_t>{frames * cells_, 3})
      throw BadInput(lost);
    set_steps(file, done);
    file.close();
  } catch (const Hdf5Error&) {
    throw BadInput(lost);
  }
}

void VtkhdfSeries::begin(const Problem& p, const std::vector<double>& times, std::size_t done) {
  points_ = std::size_t(p.nodes);
  cells_ = p.mesh.tets.size();
  begun_ = true;
  losses_ = LossDensity(p);
  if (done > 0)
    adopt(times.size(), done);
  else
    guarded(place_.path(), [&] { create(p, times); });
}

void VtkhdfSeries::frame(std::size_t index, const double* potential, const std::vector<float>& field) {
  guarded(place_.path(), [&] {
    Id file = open_file(place_.aside());
    write_rows(file, std::string("PointData/") + potential_name, H5T_NATIVE_DOUBLE, index * points_, points_,
               1, potential);
    write_rows(file, std::string("CellData/") + field_name, H5T_NATIVE_FLOAT, index * cells_, cells_, 3,
               field.data());
    if (!losses_.empty())
      write_rows(file, std::string("CellData/") + loss_name, H5T_NATIVE_FLOAT, index * cells_, cells_, 1,
                 losses_.of(field).data());
    set_steps(file, index + 1);
    check(H5Fflush(file, H5F_SCOPE_GLOBAL));
    file.close();
  });
}

void VtkhdfSeries::finish() {
  if (begun_) place_.commit();
}

}  // namespace umov::eqs
