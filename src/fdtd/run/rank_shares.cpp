#include "fdtd/run/rank_shares.hpp"

#include "comm/parts.hpp"
#include "fdtd/ranks/rank_engine.hpp"
#include "fdtd/run/prepare.hpp"

namespace umov::fdtd {

std::vector<RankShare> rank_shares(const Prepared& p, int ranks, const std::vector<double>& bytes) {
  Problem walls;
  walls.grid = p.grid;
  set_walls(p.sim, walls);
  const int halo = ranks::expected_halo_planes(walls, p.sim.backend == "cuda" || p.sim.ranks.gpus != 0);
  const auto costs = ranks::plane_costs(walls);
  const auto borders = comm::balanced_parts(costs, ranks);
  const int planes = int(bytes.size());
  const bool periodic = walls.walls[dimensions(p.grid.mode) - 1][0] == Closure::periodic;
  std::vector<RankShare> shares;
  for (int r = 0; r < ranks; ++r) {
    const int first = int(borders[std::size_t(r)]), last = int(borders[std::size_t(r) + 1]);
    const int beside = first == last || ranks == 1 ? 0 : halo;
    double sum = 0;
    for (int k = first - beside; k < last + beside; ++k)
      if (periodic || (k >= 0 && k < planes)) sum += bytes[std::size_t(((k % planes) + planes) % planes)];
    shares.push_back({first, last, 2 * beside, std::size_t(sum)});
  }
  return shares;
}

std::vector<RankShare> rank_shares(const Prepared& p, int ranks) {
  const auto planes = std::size_t(p.grid.cells[dimensions(p.grid.mode) - 1]);
  return rank_shares(p, ranks, std::vector<double>(planes, double(estimate_bytes(p)) / double(planes)));
}

}  // namespace umov::fdtd
