// Conducting films around round bodies that are thinner than what their facets cut off.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "eqs/materials/curve_table.hpp"
#include "eqs/model/model_parts.hpp"

namespace umov::eqs {

namespace {

using mesh::Tri;

/// The outside of one material: where it meets others or ends.
struct Skin {
  std::vector<Tri> faces;
  double volume = 0;
};

/// A face of one element: the lowest of its nodes is that of its bucket.
struct Face {
  int middle, high;  ///< its other nodes, ascending
  Tri corners;
  bool operator==(const Face& o) const { return middle == o.middle && high == o.high; }
  bool operator<(const Face& o) const { return middle != o.middle ? middle < o.middle : high < o.high; }
};

/// Faces in buckets by their lowest nodes, each bucket sorted; those of two elements lie inside.
Skin skin_of(const Problem& p, int material) {
  static constexpr int face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};  // normals point one way
  const auto& x = p.mesh.nodes;
  Skin out;
  const auto for_faces = [&](const auto& take) {
    for (std::size_t i = 0; i < p.mesh.tets.size(); ++i) {
      if (p.material[i] != material) continue;
      const auto& t = p.mesh.tets[i];
      for (const auto& f : face) take(Tri{t[f[0]], t[f[1]], t[f[2]]});
    }
  };
  for (std::size_t i = 0; i < p.mesh.tets.size(); ++i) {
    if (p.material[i] != material) continue;
    const auto& t = p.mesh.tets[i];
    out.volume += std::abs(dot(x[t[1]] - x[t[0]], cross(x[t[2]] - x[t[0]], x[t[3]] - x[t[0]]))) / 6;
  }
  std::vector<std::size_t> start(x.size() + 1, 0);
  for_faces([&](const Tri& c) { ++start[std::min({c[0], c[1], c[2]})]; });
  std::size_t total = 0;
  for (std::size_t& n : start) total += std::exchange(n, total);
  std::vector<Face> all(total);
  for_faces([&](const Tri& c) {
    Tri sorted = c;
    std::sort(sorted.begin(), sorted.end());
    all[start[sorted[0]]++] = {sorted[1], sorted[2], c};
  });
  // filling has moved every start to the one after it
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::size_t n = 0; n < x.size(); ++n)
    std::sort(all.begin() + std::ptrdiff_t(n ? start[n - 1] : 0), all.begin() + std::ptrdiff_t(start[n]));
  for (std::size_t n = 0; n < x.size(); ++n)
    for (std::size_t k = n ? start[n - 1] : 0; k < start[n]; ++k) {
      if (k + 1 < start[n] && all[k] == all[k + 1])
        ++k;
      else
        out.faces.push_back(all[k].corners);
    }
  return out;
}

struct Roundness {
  double thickness = 0;  ///< twice volume over surface, m
  double sagitta = 0;    ///< median over the edges where facets turn a little, m
  double width = 0;      ///< of those facets, m
};

/// A facet of width c that turns by an angle from the next stands for an arc of radius c / angle, which it
/// cuts off by c angle / 8. Refinement to come puts new nodes on the round surface, which quarters that.
Roundness roundness(const Skin& skin, const mesh::TetMesh& m, int refined) {
  constexpr double flat = 0.01, corner = 0.9;  // rad: below, a plane; above, an edge that is meant
  struct Facet {
    Vec3 normal;
    double area;
  };
  std::map<std::array<int, 2>, Facet> beside;
  std::vector<std::pair<double, double>> found;  // sagitta, width
  double area = 0, round = 0;
  for (const Tri& t : skin.faces) {
    const Vec3 n = cross(m.nodes[t[1]] - m.nodes[t[0]], m.nodes[t[2]] - m.nodes[t[0]]);
    const double twice = norm(n);
    area += 0.5 * twice;
    for (int k = 0; k < 3; ++k) {
      const std::array<int, 2> edge{std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])};
      const auto [other, alone] = beside.emplace(edge, Facet{(1 / twice) * n, 0.5 * twice});
      if (alone) continue;
      const double length = norm(m.nodes[edge[0]] - m.nodes[edge[1]]),
                   width = (other->second.area + 0.5 * twice) / length,
                   angle = std::acos(std::clamp(dot(other->second.normal, (1 / twice) * n), -1.0, 1.0));
      if (angle <= flat || angle >= corner) continue;
      found.emplace_back(width * angle / 8, width);
      round += 0.5 * (other->second.area + 0.5 * twice);
    }
  }
  const double halves = 1. / (1 << refined);
  if (found.empty() || round < 0.2 * area) return {};
  const auto middle = found.begin() + std::ptrdiff_t(found.size() / 2);
  std::nth_element(found.begin(), middle, found.end());
  return {2 * skin.volume / area, halves * halves * middle->first, halves * middle->second};
}

/// What makes facets of this material's bodies smaller: it depends on how they are meshed.
std::string smaller_facets(const Simulation& s, const std::string& material) {
  if (!s.mesh.geometry) return "with smaller elements in the file's own mesh";
  const mesh::Geometry& g = *s.mesh.geometry;
  if (g.kind != "parts") return "with a larger geometry.elements_across";
  for (const auto& m : s.materials) {
    if (m.name != material) continue;
    for (const auto& part : g.parts) {
      const bool filled = m.regions.empty()
                              ? part.region == m.name
                              : std::find(m.regions.begin(), m.regions.end(), part.region) != m.regions.end();
      if (filled && part.across > 0)
        return fmt::format(
            "with a smaller mesh_size of part '{}' (a structured tube, which geometry.curvature does not "
            "reach)",
            part.region);
    }
  }
  return "with a larger geometry.curvature";
}

}  // namespace

void note_thin(const Simulation& s, int refined, Problem& p) {
  if (p.analysis == Analysis::electrostatic) return;
  std::vector<double> conducts, carries;
  for (const auto& m : p.materials) {
    CurveTable curves;
    const int kappa = curves.add(m.conductivity), eps = curves.add(m.permittivity);
    conducts.push_back(curves.view()(kappa, 0).value);
    carries.push_back(conducts.back() + p.rate * 8.8541878128e-12 * curves.view()(eps, 0).value);
  }
  const double least = *std::min_element(carries.begin(), carries.end());
  for (std::size_t i = 0; i < p.materials.size(); ++i) {
    if (conducts[i] < 10 * least) continue;  // it carries no currents that others do not
    const Roundness r = roundness(skin_of(p, int(i)), p.mesh, refined);
    // measured in a film around a cylinder: losses are wrong by some (2 sagitta / thickness)^2
    if (r.sagitta == 0 || r.thickness > 10 * r.sagitta) continue;
    p.warnings.push_back(fmt::format(
        "material '{}' is {:.2g} m thick, and its facets, {:.2g} m wide, cut off {:.2g} m of the round "
        "surface "
        "(straight facets drive currents along a thin conducting film that there are none of: losses and "
        "fields "
        "in it may be wrong by {}); give it {} times the facets {}, or refine",
        p.materials[i].name, r.thickness, r.width, r.sagitta,
        r.sagitta > 0.3 * r.thickness ? "factors" : "some 10 per cent",
        std::ceil(std::sqrt(10 * r.sagitta / r.thickness)), smaller_facets(s, p.materials[i].name)));
  }
}

}  // namespace umov::eqs
