// Faces of tetrahedra, matched by their sorted corners.
#include "view/surface.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace umov::view {

namespace {

struct Half {
  std::array<int, 3> key;  ///< corners in order of their numbers
  Face face;
};

std::vector<Half> halves_of(const results::StoredMesh& m) {
  static constexpr int opposite[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  std::vector<Half> halves;
  halves.reserve(4 * m.count());
  for (std::size_t t = 0; t < m.count(); ++t)
    for (const auto& corners : opposite) {
      Half h;
      for (std::size_t c = 0; c < 3; ++c) h.face.corner[c] = m.tet(t)[corners[c]];
      h.face.tet = int(t);
      h.face.region = std::max(0, m.region[t]);
      h.key = h.face.corner;
      std::sort(h.key.begin(), h.key.end());
      halves.push_back(h);
    }
  std::sort(halves.begin(), halves.end(), [](const Half& a, const Half& b) {
    return a.key != b.key ? a.key < b.key : a.face.tet < b.face.tet;
  });
  return halves;
}

int conductor_of(const results::StoredMesh& m, const Face& f) {
  if (m.conductor.empty()) return -1;
  const auto of = [&](std::size_t c) { return m.conductor[std::size_t(f.corner[c])]; };
  return of(0) == of(1) && of(0) == of(2) ? of(0) : -1;
}

}  // namespace

std::vector<Face> surfaces(const results::StoredMesh& m) {
  const auto halves = halves_of(m);
  std::vector<Face> out;
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const bool paired = i + 1 < halves.size() && halves[i].key == halves[i + 1].key;
    out.push_back(halves[i].face);
    if (!paired) {
      if (const int c = conductor_of(m, halves[i].face); c >= 0)
        out.back().region = int(m.regions.size()) + c;
      continue;
    }
    if (halves[i].face.region != halves[i + 1].face.region)
      out.push_back(halves[i + 1].face);
    else
      out.pop_back();
    ++i;
  }
  return out;
}

Surface::Surface(const results::StoredMesh& m) {
  const auto faces = surfaces(m);
  std::map<std::tuple<int, int, int>, int> vertex;  // by point, region of the element, region that is drawn
  std::vector<int> of_element;                      // per vertex, region of its elements
  std::vector<std::uint32_t> corners;
  std::vector<float> places;
  for (const Face& f : faces) {
    const int own = m.region[std::size_t(f.tet)];
    for (const int point : f.corner) {
      const auto [found, is_new] = vertex.try_emplace({point, own, f.region}, int(point_.size()));
      if (is_new) {
        point_.push_back(point);
        of_element.push_back(own);
        for (const double x : m.points[std::size_t(point)]) places.push_back(float(x));
      }
      corners.push_back(std::uint32_t(found->second));
    }
    region_.push_back(std::uint32_t(f.region));
  }
  std::vector<std::vector<int>> at_point(m.points.size());
  for (std::size_t v = 0; v < point_.size(); ++v) at_point[std::size_t(point_[v])].push_back(int(v));
  std::vector<std::size_t> count(point_.size(), 0);
  const auto visit = [&](const auto& f) {
    for (std::size_t t = 0; t < m.count(); ++t)
      for (int c = 0; c < 4; ++c)
        for (const int v : at_point[std::size_t(m.tet(t)[c])])
          if (of_element[std::size_t(v)] == m.region[t]) f(std::size_t(v), int(t));
  };
  visit([&](std::size_t v, int) { ++count[v]; });
  first_.assign(point_.size() + 1, 0);
  for (std::size_t v = 0; v < point_.size(); ++v) first_[v + 1] = first_[v] + count[v];
  around_.resize(first_.back());
  auto next = first_;
  visit([&](std::size_t v, int t) { around_[next[v]++] = t; });
  const auto n = std::uint32_t(point_.size()), triangles = std::uint32_t(region_.size());
  shape_.push_back({{3, n, 1}, std::move(places)});
  shape_.push_back({{3, triangles, 1}, std::move(corners)});
  shape_.push_back({{triangles, 1, 1}, region_});
}

Part Surface::values(std::span<const float> values, bool at_points) const {
  std::vector<float> out(point_.size());
  for (std::size_t v = 0; v < out.size(); ++v) {
    if (at_points) {
      out[v] = values[std::size_t(point_[v])];
      continue;
    }
    double sum = 0;
    for (std::size_t i = first_[v]; i < first_[v + 1]; ++i) sum += double(values[std::size_t(around_[i])]);
    out[v] = float(sum / double(first_[v + 1] - first_[v]));
  }
  return {{std::uint32_t(out.size()), 1, 1}, std::move(out)};
}

}  // namespace umov::view
