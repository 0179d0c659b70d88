// Facts about a mesh, found the slow and obvious way.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "mesh/tet_mesh.hpp"

namespace umov::test {

inline double volume_of(const mesh::TetMesh& m, const mesh::Tet& t) {
  const Vec3 &o = m.nodes[t[0]], a = m.nodes[t[1]] - o, b = m.nodes[t[2]] - o, c = m.nodes[t[3]] - o;
  return dot(a, cross(b, c)) / 6;
}

inline double area_of(const mesh::TetMesh& m, const mesh::Tri& t) {
  return 0.5 * norm(cross(m.nodes[t[1]] - m.nodes[t[0]], m.nodes[t[2]] - m.nodes[t[0]]));
}

/// Volume of a group; of all without a name.
inline double volume(const mesh::TetMesh& m, const std::string& name = "") {
  double sum = 0;
  for (std::size_t i = 0; i < m.tets.size(); ++i)
    if (name.empty() || m.volumes[m.tet_group[i]].name == name) sum += volume_of(m, m.tets[i]);
  return sum;
}

inline double area(const mesh::TetMesh& m, const std::string& name) {
  double sum = 0;
  for (std::size_t i = 0; i < m.triangles.size(); ++i)
    if (m.surfaces[m.triangle_group[i]].name == name) sum += area_of(m, m.triangles[i]);
  return sum;
}

/// How often each face is there.
inline std::map<mesh::Tri, int> faces(const mesh::TetMesh& m) {
  std::map<mesh::Tri, int> count;
  for (const mesh::Tet& t : m.tets)
    for (int k = 0; k < 4; ++k) {
      mesh::Tri f{t[(k + 1) % 4], t[(k + 2) % 4], t[(k + 3) % 4]};
      std::sort(f.begin(), f.end());
      ++count[f];
    }
  return count;
}

inline std::set<mesh::Edge> edges(const mesh::TetMesh& m) {
  std::set<mesh::Edge> all;
  for (const mesh::Tet& t : m.tets)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        if (t[a] < t[b]) all.insert({t[a], t[b]});
  return all;
}

/// Nodes - edges + faces - elements: 1 for a ball, 0 for a ring. Hanging nodes would change it.
inline long euler(const mesh::TetMesh& m) {
  return long(m.nodes.size()) - long(edges(m).size()) + long(faces(m).size()) - long(m.tets.size());
}

inline double boundary_area(const mesh::TetMesh& m) {
  double sum = 0;
  for (const auto& [face, count] : faces(m))
    if (count == 1) sum += area_of(m, face);
  return sum;
}

/// 3 r_in / r_out of the worst element, negative when one is inverted.
inline double worst_quality(const mesh::TetMesh& m) {
  double worst = 1;
  for (const mesh::Tet& t : m.tets) {
    const Vec3 &o = m.nodes[t[0]], a = m.nodes[t[1]] - o, b = m.nodes[t[2]] - o, c = m.nodes[t[3]] - o;
    const double v = dot(a, cross(b, c)) / 6;
    double areas = 0;
    for (int k = 0; k < 4; ++k) areas += area_of(m, {t[(k + 1) % 4], t[(k + 2) % 4], t[(k + 3) % 4]});
    const Vec3 round = dot(a, a) * cross(b, c) + dot(b, b) * cross(c, a) + dot(c, c) * cross(a, b);
    worst =
        std::min(worst, std::copysign(3 * (3 * std::abs(v) / areas) / (norm(round) / (12 * std::abs(v))), v));
  }
  return worst;
}

/// One regular tetrahedron's worth of mesh: elements given, one volume "v".
inline mesh::TetMesh small_mesh(std::vector<Vec3> nodes, std::vector<mesh::Tet> tets) {
  mesh::TetMesh m;
  m.source = "small.msh";
  m.nodes = std::move(nodes);
  m.tets = std::move(tets);
  m.tet_group.assign(m.tets.size(), 0);
  m.volumes = {{"v", 1}};
  return m;
}

/// What a call that must fail with BadInput says.
template <class F>
std::string refusal(const F& call) {
  try {
    call();
  } catch (const BadInput& error) {
    return error.what();
  }
  return "(no error)";
}

/// Whether a message contains a text.
inline testing::AssertionResult says(const std::string& message, const std::string& text) {
  if (message.find(text) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "\"" << message << "\" does not say \"" << text << "\"";
}

}  // namespace umov::test
