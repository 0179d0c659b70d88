#include "fdtd/run/rank_shares.hpp"

#include "comm/parts.hpp"
#include "fdtd/ranks/rank_engine.hpp"
#include "fdtd/run/prepare.hpp"

namespace umov::fdtd {

std::vector<RankShare> rank_shares(const Prepared& p, int ranks) {
  Problem walls;
  walls.grid = p.grid;
  set_walls(p.sim, walls);
  const int halo = ranks::expected_halo_planes(walls, p.sim.backend == "cuda" || p.sim.ranks.gpus != 0);
  const auto costs = ranks::plane_costs(walls);
  const auto borders = comm::balanced_parts(costs, ranks);
  const std::size_t bytes = estimate_bytes(p);
  std::vector<RankShare> shares;
  for (int r = 0; r < ranks; ++r) {
    const int first = int(borders[std::size_t(r)]), last = int(borders[std::size_t(r) + 1]);
    const int copied = first == last || ranks == 1 ? 0 : 2 * halo;
    shares.push_back(
        {first, last, copied, std::size_t(double(bytes) * (last - first + copied) / double(costs.size()))});
  }
  return shares;
}

}  // namespace umov::fdtd
