#include "eqs/observables/surface_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/error.hpp"
#include "core/text.hpp"
#include "eqs/kernels/ellipse.hpp"

namespace umov::eqs {

using mesh::Place;
using mesh::Tri;

namespace {

Tri sorted(Tri t) {
  std::sort(t.begin(), t.end());
  return t;
}

int find_group(const std::string& name, const mesh::TetMesh& m, const std::string& where) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < m.surfaces.size(); ++i) {
    if (m.surfaces[i].name == name) return int(i);
    names.push_back(m.surfaces[i].name);
  }
  const std::string hint = did_you_mean(name, names);
  throw BadInput("surface '" + where + "': '" + m.source + "' has no surface group '" + name + "'; " +
                 (hint.empty() ? "it has " + (names.empty() ? "none" : join(names, ", ")) : hint));
}

/// A vector of length one on the triangle.
Vec3 unit_normal(const mesh::TetMesh& m, const Tri& t, double& area) {
  const Vec3 n = cross(m.nodes[t[1]] - m.nodes[t[0]], m.nodes[t[2]] - m.nodes[t[0]]);
  area = 0.5 * norm(n);
  return (0.5 / area) * n;
}

}  // namespace

SurfaceField::SurfaceField(const SurfaceSpec& spec, const Problem& problem) {
  const auto& m = problem.mesh;
  frame_.name = spec.name;
  const int group = find_group(spec.group, m, spec.name);
  std::map<Tri, std::size_t> index;
  std::vector<Tri> triangles;
  for (std::size_t i = 0; i < m.triangles.size(); ++i)
    if (m.triangle_group[i] == group && index.emplace(sorted(m.triangles[i]), triangles.size()).second)
      triangles.push_back(m.triangles[i]);
  std::vector<std::vector<Place>> beside(triangles.size());
  for (std::size_t i = 0; i < m.tets.size(); ++i)
    for (int corner = 0; corner < 4; ++corner) {
      Tri face;
      for (int k = 0, f = 0; k < 4; ++k)
        if (k != corner) face[f++] = m.tets[i][k];
      const auto at = index.find(sorted(face));
      if (at == index.end()) continue;
      Place p{int(i), {1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3}};
      p.weight[corner] = 0;
      beside[at->second].push_back(p);
    }
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    auto& sides = beside[i];
    if (sides.empty()) continue;  // inside a conductor
    // The material named first in the case is side 0, so that the normal has one sense all over the surface.
    std::stable_sort(sides.begin(), sides.end(), [&](const Place& a, const Place& b) {
      return problem.material[a.tet] < problem.material[b.tet];
    });
    sides.resize(2);
    double area = 0;
    Vec3 n = unit_normal(m, triangles[i], area);
    const Vec3 center =
        (1.0 / 3) * (m.nodes[triangles[i][0]] + m.nodes[triangles[i][1]] + m.nodes[triangles[i][2]]);
    Vec3 middle{0, 0, 0};
    for (const int k : m.tets[sides[0].tet]) middle = middle + 0.25 * m.nodes[k];
    if (dot(n, center - middle) < 0) n = -1.0 * n;
    frame_.center.push_back(center);
    frame_.unit_normal.push_back(n);
    frame_.area.push_back(area);
    for (int side = 0; side < 2; ++side) {
      places_[side].push_back(sides[side]);
      frame_.material[side].push_back(sides[side].tet < 0 ? -1 : problem.material[sides[side].tet]);
    }
  }
  if (frame_.center.empty())
    throw BadInput("surface '" + spec.name + "': no element lies at surface group '" + spec.group +
                   "' (it may be inside a conductor); choose another");
}

void SurfaceField::sample(const Sampler& sampler, const double* u, const double* imaginary,
                          SurfaceResult& r) const {
  for (std::size_t i = 0; i < frame_.center.size(); ++i) {
    const Vec3& n = frame_.unit_normal[i];
    for (int side = 0; side < 2; ++side) {
      const Place& p = places_[side][i];
      if (p.tet < 0) {
        r.normal[side].push_back(std::numeric_limits<float>::quiet_NaN());
        continue;
      }
      const Vec3 e = sampler.field(u, p);
      const Vec3 f = imaginary ? sampler.field(imaginary, p) : Vec3{0, 0, 0};
      const double up = dot(e, n), other = dot(f, n);
      r.normal[side].push_back(float(imaginary ? std::hypot(up, other) : up));
      if (side == 0) r.tangential.push_back(float(peak_of(e - up * n, f - other * n)));
    }
  }
}

}  // namespace umov::eqs
