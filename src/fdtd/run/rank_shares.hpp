// What each of several ranks has of a grid, as far as it is known without painting the grid.
#pragma once

#include <cstddef>
#include <vector>

namespace umov::fdtd {

struct Prepared;

struct RankShare {
  int first = 0, last = 0;  ///< own planes across the last axis, `last` not one of them
  int copied = 0;           ///< planes beside them, on both sides
  std::size_t bytes = 0;    ///< with the copied planes
};
/// Of so many ranks that share the grid; `bytes`: plane_bytes().
std::vector<RankShare> rank_shares(const Prepared&, int ranks, const std::vector<double>& bytes);
/// The same by what fields and layers take, all planes alike.
std::vector<RankShare> rank_shares(const Prepared&, int ranks);

}  // namespace umov::fdtd
