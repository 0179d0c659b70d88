// Meshes of files whose elements have their nodes in any order, of first and second order.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>

#include "mesh/geometry.hpp"
#include "support/eqs_cases.hpp"

namespace umov::eqs::test {
namespace {

mesh::TetMesh cell() {
  return mesh::build_mesh(*column({layer("a", 1e-3, 3)}, {}, steady(1), 2e-3, 3).mesh.geometry);
}

/// In MSH 2.2; of second order with an own node in the middle of each edge of each element.
std::string written(const mesh::TetMesh& m, bool second) {
  constexpr int ends[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}};
  const std::string path = testing::TempDir() + "node_order.msh";
  std::ofstream nodes(path);
  std::ostringstream body;
  nodes.precision(17);
  std::vector<Vec3> all = m.nodes;
  int number = 0;
  for (std::size_t i = 0; i < m.triangles.size(); ++i) {
    body << ++number << " 2 2 " << m.triangle_group[i] + 1 << " 1";
    for (const int n : m.triangles[i]) body << ' ' << n + 1;
    body << '\n';
  }
  for (const mesh::Tet& t : m.tets) {
    body << ++number << (second ? " 11" : " 4") << " 2 9 9";
    for (const int n : t) body << ' ' << n + 1;
    if (second)
      for (const auto& [a, b] : ends) {
        all.push_back(0.5 * (m.nodes[t[a]] + m.nodes[t[b]]));
        body << ' ' << all.size();
      }
    body << '\n';
  }
  nodes << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n" << m.surfaces.size() + 1 << '\n';
  for (std::size_t g = 0; g < m.surfaces.size(); ++g)
    nodes << "2 " << g + 1 << " \"" << m.surfaces[g].name << "\"\n";
  nodes << "3 9 \"a\"\n$EndPhysicalNames\n$Nodes\n" << all.size() << '\n';
  for (std::size_t n = 0; n < all.size(); ++n)
    nodes << n + 1 << ' ' << all[n][0] << ' ' << all[n][1] << ' ' << all[n][2] << '\n';
  nodes << "$EndNodes\n$Elements\n" << number << '\n' << body.str() << "$EndElements\n";
  return path;
}

double capacitance_of(const mesh::TetMesh& m, bool second) {
  Simulation s;
  s.mesh.file = written(m, second);
  s.analysis = Analysis::electrostatic;
  s.materials = {material("a", constant(3), constant(0))};
  s.electrodes = {driven("bottom", steady(1)), electrode("top")};
  return capacitance(make_problem(s), on("serial"))[0][0];
}

/// Refused before: "elements overlap, or the group holds a mirrored part".
TEST(EqsNodeOrder, OfElementsChangesNoCapacitance) {
  mesh::TetMesh m = cell();
  // a plate capacitor: 3 eps0 A / d in every mesh; the conjugate gradients' 1e-12 and rounding
  const double exact = 3 * eps_vacuum * 4e-6 / 1e-3;
  std::mt19937 random(7);
  for (const bool second : {false, true}) {
    EXPECT_NEAR(capacitance_of(cell(), second), exact, 1e-10 * exact);
    for (mesh::Tet& t : m.tets) std::shuffle(t.begin(), t.end(), random);
    EXPECT_NEAR(capacitance_of(m, second), exact, 1e-10 * exact) << second;
  }
}

}  // namespace
}  // namespace umov::eqs::test
