#include "mesh/drop_unused.hpp"

namespace umov::mesh {

void drop_unused_nodes(TetMesh& mesh) {
  std::vector<int> number(mesh.nodes.size(), 0);
  for (const Tet& t : mesh.tets)
    for (const int n : t) number[n] = 1;
  for (const Tri& t : mesh.triangles)
    for (const int n : t) number[n] = 1;
  int count = 0;
  for (std::size_t n = 0; n < number.size(); ++n) {
    if (!number[n]) continue;
    mesh.nodes[count] = mesh.nodes[n];
    number[n] = count++;
  }
  if (std::size_t(count) == mesh.nodes.size()) return;
  mesh.nodes.resize(count);
  mesh.nodes.shrink_to_fit();
  for (Tet& t : mesh.tets)
    for (int& n : t) n = number[n];
  for (Tri& t : mesh.triangles)
    for (int& n : t) n = number[n];
}

}  // namespace umov::mesh
