// Tetrahedra given as arrays.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/error.hpp"
#include "core/given_arrays.hpp"
#include "mesh/gmsh_raw.hpp"

namespace umov::mesh {

namespace {

[[noreturn]] void refuse(const GivenArrays& given, const std::string& problem, const std::string& remedy) {
  throw BadInput(fmt::format("{}: {}; {}", given.said, problem, remedy));
}

void add_nodes(const GivenArrays& given, RawMesh& raw) {
  const GivenArray& a = given.at("nodes");
  if (a.shape.size() != 2 || a.shape[1] != 3 || a.is_complex())
    refuse(given,
           fmt::format("nodes of {} numbers (wanted are x, y and z of each)", fmt::join(a.shape, " x ")),
           "give an array [n][3]");
  if (a.shape[0] > std::size_t(INT32_MAX))
    refuse(given, "more than 2^31 nodes (their numbers would not fit in 31 bits)", "use a coarser mesh");
  raw.nodes.resize(a.shape[0]);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = raw.nodes[i / 3][int(i % 3)] = a.real(i);
    if (!std::isfinite(x))
      refuse(given, fmt::format("node {} is not finite", i / 3), "mesh again, or correct it");
  }
}

/// Elements of `corners` nodes, and the group of each.
template <class Element>
void add_elements(const GivenArrays& given, RawMesh& raw, const char* cells, const char* groups, int dim,
                  std::vector<Element>& elements, std::vector<int>& origins) {
  if (!given.has(cells)) return;
  constexpr std::size_t corners = std::tuple_size_v<Element>;
  const GivenArray &a = given.at(cells), &group = given.at(groups);
  const auto& names = given.names.at(groups);
  if (a.shape.size() != 2 || a.shape[1] != corners || !a.is_whole())
    refuse(given,
           fmt::format("{} of {} numbers (wanted are {} nodes of each)", cells, fmt::join(a.shape, " x "),
                       corners),
           fmt::format("give an array of whole numbers [n][{}]", corners));
  if (!group.is_whole() || group.size() != a.shape[0])
    refuse(given, fmt::format("{} {} for {} {} (each has one)", group.size(), groups, a.shape[0], cells),
           "give as many");
  // Numbers of groups do not repeat over the dimensions, as in a file.
  const int first = int(raw.names.size()) + 1;
  for (std::size_t g = 0; g < names.size(); ++g) raw.names[{dim, first + int(g)}] = names[g];
  elements.resize(a.shape[0]), origins.resize(a.shape[0]);
  const auto nodes = (long long)(raw.nodes.size());
  for (std::size_t e = 0; e < a.shape[0]; ++e) {
    for (std::size_t c = 0; c < corners; ++c) {
      const long long node = a.whole(e * corners + c);
      if (node < 0 || node >= nodes)
        refuse(given, fmt::format("{}: a corner {} (there are {} nodes, from 0)", cells, node, nodes),
               "correct it");
      elements[e][c] = int(node);
    }
    const long long g = group.whole(e);
    if (g < 0 || g >= (long long)(names.size()))
      refuse(given, fmt::format("{}: number {} (there are {} names, from 0)", groups, g, names.size()),
             "correct it");
    origins[e] = raw.origin({dim, first + int(g), first + int(g)});
  }
}

}  // namespace

RawMesh raw_mesh_of(const GivenArrays& given) {
  RawMesh raw;
  add_nodes(given, raw);
  add_elements(given, raw, "tetrahedra", "regions", 3, raw.tets, raw.tet_origin);
  add_elements(given, raw, "triangles", "surfaces", 2, raw.triangles, raw.triangle_origin);
  return raw;
}

}  // namespace umov::mesh
