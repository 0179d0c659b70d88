// The mesh' elements dealt out to ranks.
#ifdef UMOV_METIS
#include <metis.h>
#endif

#include "comm/parts.hpp"
#include "core/error.hpp"
#include "eqs/ranks/cut.hpp"

namespace umov::eqs {

std::vector<int> part_elements(const mesh::TetMesh& mesh, int ranks) {
  const index_t count = index_t(mesh.tets.size());
  std::vector<int> part(mesh.tets.size(), 0);
  if (ranks == 1) return part;
#ifdef UMOV_METIS
  if (count < 8 * ranks) {
    const auto borders = comm::even_parts(count, ranks);
    for (index_t e = 0; e < count; ++e) part[std::size_t(e)] = comm::rank_of(borders, e);
    return part;
  }
  static_assert(sizeof(idx_t) == sizeof(int), "this METIS has other numbers than int");
  idx_t elements = idx_t(count), nodes = idx_t(mesh.nodes.size()), common = 3, parts = ranks, cut = 0;
  std::vector<idx_t> start(mesh.tets.size() + 1), list;
  list.reserve(4 * mesh.tets.size());
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    start[e] = idx_t(list.size());
    list.insert(list.end(), mesh.tets[e].begin(), mesh.tets[e].end());
  }
  start.back() = idx_t(list.size());
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  std::vector<idx_t> of_node(mesh.nodes.size());
  const int answer = METIS_PartMeshDual(&elements, &nodes, start.data(), list.data(), nullptr, nullptr,
                                        &common, &parts, nullptr, options, &cut, part.data(), of_node.data());
  if (answer != METIS_OK)
    throw MachineFailure("METIS could not cut the mesh into " + std::to_string(ranks) + " parts (" +
                         (answer == METIS_ERROR_MEMORY ? "out of memory" : "it failed") +
                         "); take fewer ranks or a coarser mesh");
  return part;
#else
  throw MachineFailure(
      "several ranks need the mesh cut into parts (umov was built without METIS); install libmetis-dev "
      "and build again (tools/setup.sh), or compute on one rank");
#endif
}

}  // namespace umov::eqs
