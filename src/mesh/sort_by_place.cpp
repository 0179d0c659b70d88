#include "core/large_memory.hpp"
#include "mesh/place_order.hpp"
#include "mesh/tet_mesh.hpp"

namespace umov::mesh {
namespace {

/// list[i] = old list[order[i]]
template <class T>
void reorder(std::vector<T>& list, const std::vector<int>& order) {
  const auto old = large_buffer<T>(list.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < list.size(); ++i) old[i] = list[i];
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = old[order[i]];
}

template <class Simplex>
void renumber(std::vector<Simplex>& list, const std::vector<int>& number) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < list.size(); ++i)
    for (int& n : list[i]) n = number[n];
}

}  // namespace

std::vector<int> sort_by_place(TetMesh& mesh) {
  const Box box = bounding_box(mesh.nodes);
  const std::vector<int> tets = centroid_order(mesh.nodes, mesh.tets, box);
  reorder(mesh.tets, tets);
  reorder(mesh.tet_group, tets);
  const std::vector<int> triangles = centroid_order(mesh.nodes, mesh.triangles, box);
  reorder(mesh.triangles, triangles);
  reorder(mesh.triangle_group, triangles);

  const std::vector<int> nodes =
      place_order(mesh.nodes.size(), box.low, box.high, [&](std::size_t begin, std::size_t end, Vec3* out) {
        std::copy(mesh.nodes.begin() + begin, mesh.nodes.begin() + end, out);
      });
  std::vector<int> number;
  resize_large(number, nodes.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < nodes.size(); ++i) number[nodes[i]] = int(i);
  reorder(mesh.nodes, nodes);
  renumber(mesh.tets, number);
  renumber(mesh.triangles, number);
  return number;
}

}  // namespace umov::mesh
