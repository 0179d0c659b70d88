#include "dda/ranks/shares.hpp"

#include <algorithm>

#include "comm/parts.hpp"

namespace umov::dda {

FrequencyShares::FrequencyShares(int points, int ranks) : gx(points) {
  std::vector<double> costs;
  for (int k = 0; k <= gx / 2; ++k) costs.push_back(k == 0 || 2 * k == gx ? 1 : 2);
  octant = comm::balanced_parts(costs, ranks);
}

FrequencyShares::Group FrequencyShares::images(int rank) const {
  const int low = std::max(first(rank), 1);
  int high = first(rank) + stored(rank) - 1;
  if (2 * high == gx) --high;
  return {gx - high, stored(rank), std::max(0, high - low + 1)};
}

int FrequencyShares::planes(int rank) const { return stored(rank) + images(rank).width; }

KeptFrequencies FrequencyShares::kept() const {
  KeptFrequencies all;
  for (int r = 0; r < ranks(); ++r) all.push_back({{first(r), stored(r)}});
  return all;
}

std::vector<FrequencyShares::Group> FrequencyShares::groups(int rank, int most) const {
  std::vector<Group> list;
  for (const Group& all : {Group{first(rank), 0, stored(rank)}, images(rank)})
    for (int from = 0; from < all.width; from += most)
      list.push_back({all.k0 + from, all.place + from, std::min(most, all.width - from)});
  return list;
}

}  // namespace umov::dda
