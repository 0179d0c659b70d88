#include "mesh/drop_unused.hpp"

#include <atomic>

namespace umov::mesh {

void drop_unused_nodes(TetMesh& mesh) {
  std::vector<int> number(mesh.nodes.size(), 0);
  const auto use = [&](int n) {
    const std::atomic_ref<int> used(number[n]);  // written once, so that threads share its line
    if (!used.load(std::memory_order_relaxed)) used.store(1, std::memory_order_relaxed);
  };
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < mesh.tets.size(); ++i)
    for (const int n : mesh.tets[i]) use(n);
  for (const Tri& t : mesh.triangles)
    for (const int n : t) use(n);
  std::size_t used = 0;
#pragma omp parallel for schedule(static) reduction(+ : used)
  for (std::size_t n = 0; n < number.size(); ++n) used += std::size_t(number[n]);
  if (used == number.size()) return;
  int count = 0;
  for (std::size_t n = 0; n < number.size(); ++n) {
    if (!number[n]) continue;
    mesh.nodes[count] = mesh.nodes[n];
    number[n] = count++;
  }
  mesh.nodes.resize(count);
  mesh.nodes.shrink_to_fit();
  for (Tet& t : mesh.tets)
    for (int& n : t) n = number[n];
  for (Tri& t : mesh.triangles)
    for (int& n : t) n = number[n];
}

}  // namespace umov::mesh
