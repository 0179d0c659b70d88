// Filling one domain of a particle with randomly placed spheres, by random sequential addition.
#include "shapes/granules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <unordered_map>

#include "core/error.hpp"

namespace umov::shapes {
namespace {

/// Attempts in a row without success after which the domain counts as full.
constexpr int patience = 2'000'000;

/// Granules placed so far, sorted into cells of one diameter so that only neighbours are compared.
class Neighbours {
 public:
  explicit Neighbours(double diameter) : diameter_(diameter) {}

  bool free(const Vec3& c) const {
    const auto [i, j, k] = cell(c);
    for (int z = k - 1; z <= k + 1; ++z)
      for (int y = j - 1; y <= j + 1; ++y)
        for (int x = i - 1; x <= i + 1; ++x) {
          const auto found = cells_.find(key({x, y, z}));
          if (found == cells_.end()) continue;
          for (const Vec3& other : found->second)
            if (dot(c - other, c - other) < diameter_ * diameter_) return false;
        }
    return true;
  }
  void add(const Vec3& c) { cells_[key(cell(c))].push_back(c); }

 private:
  // Granules smaller than a dipole share cells of one dipole.
  double edge() const { return std::max(diameter_, 1.0); }
  Int3 cell(const Vec3& c) const {
    return {int(std::floor(c[0] / edge())), int(std::floor(c[1] / edge())), int(std::floor(c[2] / edge()))};
  }
  static std::uint64_t key(const Int3& c) {
    return (std::uint64_t(c[2] + 1) << 40) | (std::uint64_t(c[1] + 1) << 20) | std::uint64_t(c[0] + 1);
  }
  double diameter_;
  std::unordered_map<std::uint64_t, std::vector<Vec3>> cells_;
};

/// Calls visit(site) for the sites whose centres lie in the sphere, until it returns false.
template <class Visit>
bool for_sites(const Particle& p, const Vec3& c, double radius, Visit visit) {
  const double r2 = radius * radius;
  for (int k = int(std::ceil(c[2] - radius)); k <= int(std::floor(c[2] + radius)); ++k) {
    const double disk = r2 - (c[2] - k) * (c[2] - k), ry = std::sqrt(std::max(disk, 0.0));
    for (int j = int(std::ceil(c[1] - ry)); j <= int(std::floor(c[1] + ry)); ++j) {
      const double rx = std::sqrt(std::max(disk - (c[1] - j) * (c[1] - j), 0.0));
      for (int i = int(std::ceil(c[0] - rx)); i <= int(std::floor(c[0] + rx)); ++i)
        if (!visit((std::size_t(k) * p.box[1] + j) * p.box[0] + i)) return false;
    }
  }
  return true;
}

/// Number of granules, and their diameter in dipoles. With volume correction the diameter is changed so that
/// a whole number of them has exactly the volume asked for.
std::size_t count_granules(Particle& p, const Request::Granules& asked) {
  const double edge = p.spacing[0];
  const double total = double(p.dipoles_per_material[asked.domain - 1]) * asked.fraction * 6 / pi;
  const double exact = total * std::pow(edge / asked.diameter, 3);
  if (exact > 1e9)
    throw BadInput(fmt::format("{:g} granules would be needed (diameter {:g} um); make the granules larger",
                               exact, asked.diameter));
  const auto n = std::size_t(std::ceil(exact));
  p.granule_diameter = asked.diameter;
  if (p.volume_corrected && n > 0) {
    p.granule_diameter = edge * std::cbrt(total / double(n));
    const double change = 100 * std::fabs(p.granule_diameter / asked.diameter - 1);
    if (change > 10)
      p.warnings.push_back(
          fmt::format("granule diameter changed by {:.0f}% (to {:g} um) by the volume correction", change,
                      p.granule_diameter));
  }
  return n;
}

/// The same on every machine, which std::uniform_real_distribution is not.
double uniform(std::mt19937_64& generator, double low, double high) {
  return low + (high - low) * double(generator() >> 11) * 0x1p-53;
}

[[noreturn]] void full(const Particle& p, const Request::Granules& asked, std::size_t wanted,
                       std::size_t sites) {
  throw BadInput(fmt::format(
      "granules do not reach the volume fraction {:g} ({} of {} placed, fraction {:g}); ask for a "
      "smaller fraction",
      asked.fraction, p.granule_positions.size(), wanted,
      double(sites) / double(p.dipoles_per_material[asked.domain - 1])));
}

}  // namespace

void place_granules(Particle& p, const Request::Granules& asked) {
  const std::size_t in_domain = p.dipoles_per_material[asked.domain - 1];
  if (in_domain == 0)
    throw BadInput(fmt::format(
        "domain {} has no dipoles (it is to be filled with granules); use a finer grid", asked.domain));
  const std::size_t wanted = count_granules(p, asked);
  const double diameter = p.granule_diameter / p.spacing[0], radius = diameter / 2;
  if (diameter < 1) p.warnings.push_back("granules are smaller than a dipole; a finer grid is advised");
  if (diameter >= std::min({p.box[0], p.box[1], p.box[2]}))
    throw BadInput(
        fmt::format("granule diameter {:g} um is too large (the box is {} dipoles of {:g} um at its "
                    "narrowest); make the granules smaller",
                    p.granule_diameter, std::min({p.box[0], p.box[1], p.box[2]}), p.spacing[0]));
  const auto host = std::uint8_t(asked.domain), filled = std::uint8_t(p.materials);
  std::mt19937_64 generator(p.sites());
  Neighbours placed(diameter);
  std::size_t sites = 0;
  int failures = 0;
  while (p.granule_positions.size() < wanted) {
    Vec3 c;
    for (int k = 0; k < 3; ++k) c[k] = uniform(generator, radius - 0.5, p.box[k] - radius - 0.5);
    const bool fits =
        placed.free(c) && for_sites(p, c, radius, [&](std::size_t s) { return p.material[s] == host; });
    if (!fits) {
      if (++failures > patience) full(p, asked, wanted, sites);
      continue;
    }
    failures = 0;
    placed.add(c);
    for_sites(p, c, radius, [&](std::size_t s) {
      p.material[s] = filled;
      ++sites;
      return true;
    });
    p.granule_positions.push_back(p.spacing[0] *
                                  (c - 0.5 * Vec3{p.box[0] - 1., p.box[1] - 1., p.box[2] - 1.}));
  }
  p.dipoles_per_material[asked.domain - 1] -= sites;
  p.dipoles_per_material[p.materials - 1] = sites;
  p.granule_fraction = double(sites) / double(in_domain);
}

}  // namespace umov::shapes
