#include "mesh/coincident.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/large_memory.hpp"
#include "mesh/place_order.hpp"

namespace umov::mesh {
namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15ull;
  return h ^ h >> 29;
}

}  // namespace

Coincidence find_coincident(const std::vector<Vec3>& nodes) {
  const auto [low, high] = bounding_box(nodes);
  const double extent = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  if (!(extent > 0)) return {};
  // Nodes are put in cells; no round coordinate lies between two of these.
  const double cell = extent * 1.0318e-9;
  auto list = large_buffer<Keyed>(nodes.size());
#pragma omp parallel for schedule(static)
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    std::uint64_t key = 0;
    for (int d = 0; d < 3; ++d)
      key = mix(key, std::uint64_t(std::floor((nodes[n][d] - low[d]) / cell + 0.37713)));
    list[n] = {key, int(n)};
  }
  sort_by_key(list, nodes.size());
  Coincidence found;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    if (list[i].key != list[i - 1].key) continue;
    const int a = list[i - 1].index, b = list[i].index;
    if (norm(nodes[b] - nodes[a]) > 2 * cell) continue;  // keys alike by chance
    if (found.count++ == 0 || a < found.first[0]) found.first = {a, b};
  }
  return found;
}

}  // namespace umov::mesh
