// Latin hypercubes by a generator whose numbers are the same everywhere.
#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "sweep/design.hpp"

namespace umov::sweep {

namespace {

using Points = std::vector<std::vector<double>>;

Points random_hypercube(int n, int dimensions, std::mt19937_64& generator) {
  Points points(n, std::vector<double>(dimensions));
  std::vector<int> order(n);
  for (int d = 0; d < dimensions; ++d) {
    std::iota(order.begin(), order.end(), 0);
    // std::shuffle is another one in every library; a remainder's bias of n / 2^64 is none
    for (int i = n - 1; i > 0; --i) std::swap(order[i], order[generator() % std::uint64_t(i + 1)]);
    for (int i = 0; i < n; ++i) points[i][d] = (order[i] + 0.5) / n;
  }
  return points;
}

double least_distance_squared(const Points& points) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double sum = 0;
      for (std::size_t d = 0; d < points[i].size(); ++d) {
        const double x = points[i][d] - points[j][d];
        sum += x * x;
      }
      least = std::min(least, sum);
    }
  return least;
}

}  // namespace

Points latin_hypercube(int n, int dimensions, int seed) {
  std::mt19937_64 generator{std::uint64_t(seed)};
  // a second at most
  const double work = double(n) * n * dimensions;
  const int tries = int(std::clamp(1e8 / work, 1.0, 200.0));
  Points best;
  double farthest = -1;
  for (int t = 0; t < tries; ++t) {
    Points points = random_hypercube(n, dimensions, generator);
    const double least = tries > 1 ? least_distance_squared(points) : 0;
    if (least > farthest) farthest = least, best = std::move(points);
  }
  return best;
}

}  // namespace umov::sweep
