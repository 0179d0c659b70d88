#include "fdtd/run/rank_shares.hpp"

#include "fdtd/ranks/rank_engine.hpp"
#include "fdtd/run/prepare.hpp"

namespace umov::fdtd {

RankShares rank_shares(const Prepared& p, int ranks, const std::vector<double>& bytes) {
  Problem walls;
  walls.grid = p.grid;
  walls.complex_fields = complex_fields(p);
  set_walls(p.sim, walls);
  const bool on_gpus = p.machine.backend == "cuda" || p.machine.ranks.gpus != 0;
  const int steps = ranks::expected_steps(walls, on_gpus);
  const ranks::Cut cut =
      ranks::choose_cut(walls, ranks, p.machine.cut, ranks::copy_costs(walls, steps, on_gpus));
  RankShares shares{{}, cut.text()};
  for (int r = 0; r < ranks; ++r) {
    shares.of.emplace_back();
    if (r >= cut.ranks()) continue;
    const ranks::Block b = ranks::make_block(walls, cut, r, steps);
    RankShare& s = shares.of.back();
    s.first = b.planes.begin, s.last = b.planes.end;
    if (b.rows.cut) s.first_row = b.rows.begin, s.last_row = b.rows.end;
    const double rows = double(b.rows.count()) / b.rows.cells;
    double sum = 0;
    // one rank alone copies itself across a period, and is not cut when it runs
    const int first = ranks == 1 ? b.planes.own_begin : 0,
              last = ranks == 1 ? b.planes.own_end() : b.planes.count();
    for (int l = first; l < last; ++l)
      sum += bytes[std::size_t(std::max(b.planes.plane[std::size_t(l)], 0))] * rows;
    s.stepped = rows * (last - first);
    s.bytes = std::size_t(sum);
  }
  return shares;
}

RankShares rank_shares(const Prepared& p, int ranks) {
  const auto planes = std::size_t(p.grid.cells[dimensions(p.grid.mode) - 1]);
  return rank_shares(p, ranks, std::vector<double>(planes, double(estimate_bytes(p)) / double(planes)));
}

}  // namespace umov::fdtd
