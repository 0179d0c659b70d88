// Shares of materials by counting sites.
#include "dda/run/shares.hpp"

#include <algorithm>
#include <cmath>

namespace umov::dda {

namespace {

std::vector<double> shares_of(const shapes::Particle& p) {
  std::vector<double> out;
  for (const std::size_t n : p.dipoles_per_material) out.push_back(double(n) / double(p.dipoles()));
  return out;
}

}  // namespace

std::vector<double> true_shares(const shapes::Request& request, const Int3& box) {
  constexpr double sites = 1e7;
  const double refined = std::cbrt(sites / (double(box[0]) * box[1] * box[2]));
  shapes::Request fine = request;
  // what a lattice misses scatters from one to the next
  constexpr int lattices = 4;
  std::vector<double> mean;
  for (int i = 0; i < lattices; ++i) {
    fine.grid = {std::max(1, int(std::lround(box[0] * refined)) - i), 0, 0};
    const std::vector<double> shares = shares_of(shapes::make_particle(fine));
    mean.resize(shares.size());
    for (std::size_t m = 0; m < shares.size(); ++m) mean[m] += shares[m] / lattices;
  }
  return mean;
}

std::vector<double> share_surplus(const shapes::Particle& p, const std::vector<double>& true_shares) {
  std::vector<double> out = shares_of(p);
  for (std::size_t m = 0; m < out.size(); ++m) out[m] -= true_shares.at(m);
  out.pop_back();  // minus the sum of the others
  return out;
}

}  // namespace umov::dda
