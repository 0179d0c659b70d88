// What each of several ranks has of a grid, as far as it is known without painting the grid.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace umov::fdtd {

struct Prepared;

struct RankShare {
  int first = 0, last = 0;          ///< own planes across the last axis, `last` not one of them
  int first_row = 0, last_row = 0;  ///< own rows of them, of a block; 0, 0: all
  double stepped = 0;               ///< cells of its part, copied ones with them, over those of a plane
  std::size_t bytes = 0;            ///< with the copied cells
};
struct RankShares {
  std::vector<RankShare> of;  ///< [rank]
  std::string cut;            ///< "2 x 4 blocks across y and z"
};
/// Of so many ranks that share the grid; `bytes`: plane_bytes(). Throws BadInput for a cut that the grid does
/// not have.
RankShares rank_shares(const Prepared&, int ranks, const std::vector<double>& bytes);
/// The same by what fields and layers take, all planes alike.
RankShares rank_shares(const Prepared&, int ranks);

}  // namespace umov::fdtd
