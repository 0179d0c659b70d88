// Elements into rasters.
#include "view/mesh_cut.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace umov::view {

namespace {

/// Cells along the longest side: a zoom of 8 still shows 256 of them.
constexpr int finest = 2048, fewest = 64;

/// The places of a request along one axis.
struct Places {
  double first = 0, distance = 1;
  int count = 1;
  /// Indices of places within [low, high].
  std::array<int, 2> within(double low, double high) const {
    const auto index = [&](double x, double shift) {
      return int(std::clamp(std::floor((x - first) / distance + shift), -1.0, double(count)));
    };
    return {std::max(0, index(low, -1e-6) + 1), std::min(count - 1, index(high, 1e-6))};
  }
  double at(int i) const { return first + i * distance; }
};

Places axis_of(const MeshRaster& raster, const Request& r, int a) {
  const auto n = std::size_t(a);
  const double d = raster.spacing[n] * (r.hi[n] - r.lo[n]) / std::max(1, r.size[n]);
  return {raster.origin[n] + r.lo[n] * raster.spacing[n] + 0.5 * d, d, std::max(1, r.size[n])};
}

}  // namespace

MeshRaster raster_over(const results::StoredMesh& m) {
  constexpr double far = std::numeric_limits<double>::infinity();
  Vec3 low{far, far, far}, high{-far, -far, -far};
  for (const Vec3& x : m.points)
    for (int a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], x[a]);
      high[a] = std::max(high[a], x[a]);
    }
  MeshRaster r;
  if (m.points.empty()) return r;
  double longest = 0;
  for (int a = 0; a < 3; ++a) longest = std::max(longest, high[a] - low[a]);
  if (!(longest > 0)) longest = 1;
  for (int a = 0; a < 3; ++a) {
    const double extent = high[a] > low[a] ? high[a] - low[a] : longest / finest;
    r.cells[a] = std::clamp(int(std::lround(finest * extent / longest)), fewest, finest);
    r.origin[a] = low[a];
    r.spacing[a] = extent / r.cells[a];
  }
  return r;
}

MeshPlaces places_of(const results::StoredMesh& m, const MeshRaster& raster, const Request& r) {
  const std::array<Places, 3> axes{axis_of(raster, r, 0), axis_of(raster, r, 1), axis_of(raster, r, 2)};
  const std::size_t nx = std::size_t(axes[0].count), ny = std::size_t(axes[1].count);
  MeshPlaces out;
  out.tet.assign(nx * ny * std::size_t(axes[2].count), -1);
  out.weights.resize(out.tet.size());
  for (std::size_t t = 0; t < m.count(); ++t) {
    const int* corner = m.tet(t);
    const Vec3 &x0 = m.points[std::size_t(corner[0])], &x1 = m.points[std::size_t(corner[1])],
               &x2 = m.points[std::size_t(corner[2])], &x3 = m.points[std::size_t(corner[3])];
    std::array<std::array<int, 2>, 3> box;
    bool empty = false;
    for (int a = 0; a < 3 && !empty; ++a) {
      const auto [low, high] = std::minmax({x0[a], x1[a], x2[a], x3[a]});
      box[std::size_t(a)] = axes[std::size_t(a)].within(low, high);
      empty = box[std::size_t(a)][0] > box[std::size_t(a)][1];
    }
    if (empty) continue;
    const Vec3 a = x1 - x0, b = x2 - x0, c = x3 - x0;
    const double volume = dot(a, cross(b, c));
    if (!(std::abs(volume) > 0)) continue;
    const Vec3 g1 = (1 / volume) * cross(b, c), g2 = (1 / volume) * cross(c, a),
               g3 = (1 / volume) * cross(a, b);
    for (int k = box[2][0]; k <= box[2][1]; ++k)
      for (int j = box[1][0]; j <= box[1][1]; ++j)
        for (int i = box[0][0]; i <= box[0][1]; ++i) {
          const std::size_t at = std::size_t(i) + nx * (std::size_t(j) + ny * std::size_t(k));
          if (out.tet[at] >= 0) continue;  // on a face: the first element has it
          const Vec3 d = Vec3{axes[0].at(i), axes[1].at(j), axes[2].at(k)} - x0;
          const double l1 = dot(g1, d), l2 = dot(g2, d), l3 = dot(g3, d), l0 = 1 - l1 - l2 - l3;
          if (std::min({l0, l1, l2, l3}) < -1e-9) continue;
          out.tet[at] = int(t);
          out.weights[at] = {float(l0), float(l1), float(l2), float(l3)};
        }
  }
  return out;
}

std::vector<float> values_at(const results::StoredMesh& m, const MeshPlaces& places,
                             std::span<const float> values, bool at_points) {
  static constexpr int edges[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
  std::vector<float> out(places.tet.size(), std::numeric_limits<float>::quiet_NaN());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int t = places.tet[i];
    if (t < 0) continue;
    if (!at_points) {
      out[i] = values[std::size_t(t)];
      continue;
    }
    const int* corner = m.tet(std::size_t(t));
    const auto& l = places.weights[i];
    const auto value = [&](int k) { return values[std::size_t(corner[k])]; };
    float sum = 0;
    for (int k = 0; k < 4; ++k)
      sum += value(k) * l[std::size_t(k)] * (m.corners == 10 ? 2 * l[std::size_t(k)] - 1 : 1);
    if (m.corners == 10)
      for (int e = 0; e < 6; ++e)
        sum += value(4 + e) * 4 * l[std::size_t(edges[e][0])] * l[std::size_t(edges[e][1])];
    out[i] = sum;
  }
  return out;
}

}  // namespace umov::view
