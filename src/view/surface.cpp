// Faces of tetrahedra, matched by their sorted corners.
#include "view/surface.hpp"

#include <algorithm>
#include <numeric>

#include "results/hdf5_reader.hpp"

namespace umov::view {

namespace {

struct Half {
  std::array<std::uint32_t, 3> key;  ///< corners in order of their numbers
  Face face;
};

/// The names in a list with commas.
std::vector<Region> regions_of(const std::string& names, const std::vector<int>& material) {
  int most = 0;
  for (const int m : material) most = std::max(most, m);
  std::vector<Region> out;
  std::size_t at = 0;
  for (int id = 0; id <= most && id < 1024; ++id) {
    const auto end = std::min(names.find(", ", at), names.size());
    out.push_back({id, at < names.size() ? names.substr(at, end - at) : std::to_string(id)});
    at = std::min(end + 2, names.size());
  }
  return out;
}

/// Only the points that faces use, renumbered.
Data triangles_of(const results::StoredMesh& m, std::vector<Face> faces) {
  std::vector<std::uint32_t> number(m.points.size(), 0), corners, regions;
  std::vector<float> places, values;
  for (Face& f : faces) {
    for (auto& c : f.corner) {
      if (number[c] == 0) {
        for (const double x : m.points[c]) places.push_back(float(x));
        if (!m.values.empty()) values.push_back(m.values[c]);
        number[c] = std::uint32_t(places.size() / 3);
      }
      corners.push_back(number[c] - 1);
    }
    regions.push_back(f.region);
  }
  Data d;
  d.time = m.time;
  const auto points = std::uint32_t(places.size() / 3), count = std::uint32_t(regions.size());
  d.parts.push_back({{3, points, 1}, std::move(places)});
  d.parts.push_back({{3, count, 1}, std::move(corners)});
  d.parts.push_back({{count, 1, 1}, std::move(regions)});
  if (!values.empty()) d.parts.push_back({{points, 1, 1}, std::move(values)});
  return d;
}

}  // namespace

std::vector<Face> surfaces(const std::vector<std::array<std::int64_t, 4>>& tets,
                           const std::vector<int>& region) {
  static constexpr int opposite[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  std::vector<Half> halves;
  halves.reserve(4 * tets.size());
  for (std::size_t t = 0; t < tets.size(); ++t)
    for (const auto& corners : opposite) {
      Half h;
      for (std::size_t c = 0; c < 3; ++c) h.face.corner[c] = std::uint32_t(tets[t][std::size_t(corners[c])]);
      h.face.region = std::uint32_t(std::max(0, region[t]));
      h.key = h.face.corner;
      std::sort(h.key.begin(), h.key.end());
      halves.push_back(h);
    }
  std::sort(halves.begin(), halves.end(), [](const Half& a, const Half& b) { return a.key < b.key; });
  std::vector<Face> out;
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const bool paired = i + 1 < halves.size() && halves[i].key == halves[i + 1].key;
    if (!paired) {
      out.push_back(halves[i].face);
    } else {
      if (halves[i].face.region != halves[i + 1].face.region) {
        out.push_back(halves[i].face);
        out.push_back(halves[i + 1].face);
      }
      ++i;
    }
  }
  return out;
}

void add_mesh(Shelf& shelf, int case_id, const std::string& name, const std::string& path) {
  const auto mesh = results::read_mesh_file(path);
  auto faces = surfaces(mesh.tets, mesh.material);
  ArrayInfo info;
  info.case_id = case_id;
  info.name = name + "/surfaces";
  info.label = "surfaces";
  info.text = "surfaces of the regions at the last saved time";
  info.kind = Kind::triangles;
  info.role = "potential";
  info.length_unit = "m";
  info.shape = {(long long)mesh.points.size(), (long long)faces.size()};
  info.regions = regions_of(mesh.materials, mesh.material);
  if (!mesh.values.empty()) info.columns = {{mesh.value_name, "V"}};
  const auto data = std::make_shared<const Data>(triangles_of(mesh, std::move(faces)));
  shelf.add(std::move(info), [data](const Request&) { return *data; });
}

}  // namespace umov::view
