// Stretches of equal length, or of equal cost.
#include "comm/parts.hpp"

#include <algorithm>
#include <numeric>

#include "core/contract.hpp"

namespace umov::comm {

std::vector<index_t> even_parts(index_t n, int ranks) {
  UMOV_EXPECT(n >= 0 && ranks >= 1, "items are dealt out to ranks");
  std::vector<index_t> borders{0};
  for (int r = 0; r < ranks; ++r) borders.push_back(borders.back() + n / ranks + (r < n % ranks));
  return borders;
}

namespace {

/// Borders of stretches that cost no more than `most` each, each as long as it can be; empty when that takes
/// more ranks.
std::vector<index_t> filled(std::span<const double> costs, int ranks, double most) {
  std::vector<index_t> borders{0};
  std::size_t i = 0;
  for (int r = 0; r < ranks; ++r) {
    for (double cost = 0; i < costs.size() && cost + costs[i] <= most; ++i) cost += costs[i];
    borders.push_back(index_t(i));
  }
  if (i < costs.size()) borders.clear();
  return borders;
}

}  // namespace

std::vector<index_t> balanced_parts(std::span<const double> costs, int ranks) {
  UMOV_EXPECT(ranks >= 1, "items are dealt out to ranks");
  const double total = std::accumulate(costs.begin(), costs.end(), 0.0);
  if (total <= 0) return even_parts(index_t(costs.size()), ranks);
  double low = 0, high = total * (1 + 1e-9);
  while (high - low > 1e-9 * total) {
    const double middle = (low + high) / 2;
    (filled(costs, ranks, middle).empty() ? low : high) = middle;
  }
  return filled(costs, ranks, high);
}

int rank_of(std::span<const index_t> borders, index_t i) {
  UMOV_EXPECT(i >= 0 && i < borders.back(), "an item lies in a stretch");
  return int(std::upper_bound(borders.begin(), borders.end(), i) - borders.begin()) - 1;
}

}  // namespace umov::comm
