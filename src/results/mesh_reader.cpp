// Unstructured grids of VTKHDF (VTK documentation, "VTKHDF format specification") with steps.
#include "results/mesh_reader.hpp"

#include <cmath>

#include "results/hdf5_read_parts.hpp"

namespace umov::results {

using namespace hdf5;

namespace {

constexpr const char* groups[] = {"PointData", "CellData"};

bool there(hid_t file, const std::string& name) { return H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0; }

/// The names in a list with commas.
std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < list.size();) {
    const auto end = std::min(list.find(", ", at), list.size());
    out.push_back(list.substr(at, end - at));
    at = end + 2;
  }
  return out;
}

/// A number for each of `count`, as an index into names; names that miss are their numbers.
std::vector<int> labels(hid_t file, const std::string& path, std::size_t count, int least,
                        std::vector<std::string>& names) {
  auto list = rows_of<int>(file, path, H5T_NATIVE_INT);
  if (list.size() != count) refuse("labels and what they label differ in number");
  constexpr int most = 1023;
  for (int& v : list) {
    v = std::clamp(v, least, most);
    while (int(names.size()) <= v) names.push_back(std::to_string(names.size()));
  }
  return list;
}

void read_elements(hid_t file, StoredMesh& m) {
  const auto corners = rows_of<std::int64_t>(file, "VTKHDF/Connectivity", H5T_NATIVE_INT64);
  const auto offsets = rows_of<std::int64_t>(file, "VTKHDF/Offsets", H5T_NATIVE_INT64);
  const auto cells = offsets.empty() ? 0 : offsets.size() - 1;
  m.corners = 10;
  for (std::size_t c = 0; c < cells; ++c) {
    const auto n = offsets[c + 1] - offsets[c];
    if (offsets[c] < 0 || n < 4 || offsets[c + 1] > std::int64_t(corners.size()))
      refuse("elements that are no tetrahedra");
    if (n != 10) m.corners = 4;  // of others the vertices count
  }
  m.nodes.reserve(cells * std::size_t(m.corners));
  for (std::size_t c = 0; c < cells; ++c)
    for (int v = 0; v < m.corners; ++v) {
      const auto node = corners[std::size_t(offsets[c] + v)];
      if (node < 0 || node >= std::int64_t(m.points.size())) refuse("an element with a vertex that is none");
      m.nodes.push_back(int(node));
    }
  m.region.assign(cells, 0);
}

void list_quantities(hid_t file, StoredMesh& m) {
  for (int g = 0; g < 2; ++g) {
    const std::string path = std::string("VTKHDF/") + groups[g];
    if (!there(file, path)) continue;
    Id group(H5Gopen2(file, path.c_str(), H5P_DEFAULT), H5Gclose);
    visit_links(group, [&](const std::string& name, H5I_type_t kind, hid_t data) {
      if (kind != H5I_DATASET) return;
      Id type(H5Dget_type(data), H5Tclose);
      const auto shape = shape_of(data);
      if (H5Tget_class(type) != H5T_FLOAT || shape.empty() || shape.size() > 2) return;
      const int components = shape.size() == 2 ? int(std::min<hsize_t>(shape[1], 16)) : 1;
      if (components < 1) return;
      const std::string unit = text_attribute(data, "unit");
      m.quantities.push_back(
          {name, unit.empty() ? "1" : unit, text_attribute(data, "description"), g == 0, components});
    });
  }
}

void read_times(hid_t file, StoredMesh& m) {
  if (!there(file, "VTKHDF/Steps")) {
    m.times = {0};
    return;
  }
  Id steps(H5Gopen2(file, "VTKHDF/Steps", H5P_DEFAULT), H5Gclose);
  if (H5Aexists(steps, "Period") > 0) m.period = number_attribute(steps, "Period", 1)[0];
  const double n = number_attribute(steps, "NSteps", 1)[0];
  if (!(n >= 1 && n < 1e9)) return;  // none is saved yet
  m.times = rows_of<double>(file, "VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE, 0, hsize_t(n));
}

}  // namespace

bool is_mesh_file(const std::string& path) {
  return reading(path, [&](hid_t file) {
    if (!there(file, "VTKHDF")) return false;
    Id group(H5Gopen2(file, "VTKHDF", H5P_DEFAULT), H5Gclose);
    return text_attribute(group, "Type") == "UnstructuredGrid";
  });
}

StoredMesh read_mesh_file(const std::string& path) {
  return reading(path, [&](hid_t file) {
    StoredMesh m;
    const auto points = rows_of<double>(file, "VTKHDF/Points", H5T_NATIVE_DOUBLE);
    for (std::size_t i = 0; i + 2 < points.size(); i += 3) {
      m.points.push_back({points[i], points[i + 1], points[i + 2]});
      if (!std::isfinite(norm(m.points.back()))) refuse("a point that is nowhere");
    }
    read_elements(file, m);
    m.regions = names_in(text_attribute(file, "materials"));
    m.conductors = names_in(text_attribute(file, "electrodes"));
    if (there(file, "VTKHDF/CellData") && there(file, "VTKHDF/CellData/material"))
      m.region = labels(file, "VTKHDF/CellData/material", m.region.size(), 0, m.regions);
    if (m.regions.empty()) m.regions = {"model"};
    if (there(file, "VTKHDF/PointData") && there(file, "VTKHDF/PointData/electrode"))
      m.conductor = labels(file, "VTKHDF/PointData/electrode", m.points.size(), -1, m.conductors);
    list_quantities(file, m);
    read_times(file, m);
    return m;
  });
}

std::vector<float> read_mesh_values(const std::string& path, const StoredMesh& m, std::size_t quantity,
                                    std::size_t instant) {
  const MeshQuantity& q = m.quantities.at(quantity);
  const std::string group = groups[q.at_points ? 0 : 1];
  const std::size_t rows = q.at_points ? m.points.size() : m.count();
  return reading(path, [&](hid_t file) {
    const std::string offsets = "VTKHDF/Steps/" + group + "Offsets";
    hsize_t first = 0;
    if (there(file, "VTKHDF/Steps") && there(file, offsets) && there(file, offsets + "/" + q.name))
      first = hsize_t(std::max<std::int64_t>(
          0, rows_of<std::int64_t>(file, offsets + "/" + q.name, H5T_NATIVE_INT64, instant, 1).at(0)));
    auto values = rows_of<float>(file, "VTKHDF/" + group + "/" + q.name, H5T_NATIVE_FLOAT, first, rows);
    if (values.size() != rows * std::size_t(q.components)) refuse("the file has changed");
    if (q.components == 1) return values;
    std::vector<float> sizes(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = 0;
      for (int c = 0; c < q.components; ++c) {
        const double v = double(values[i * std::size_t(q.components) + std::size_t(c)]);
        sum += v * v;
      }
      sizes[i] = float(std::sqrt(sum));
    }
    return sizes;
  });
}

}  // namespace umov::results
