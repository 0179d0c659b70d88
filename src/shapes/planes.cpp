// How many dipoles the planes of a particle have.
#include <algorithm>

#include "shapes/particle.hpp"

namespace umov::shapes {

std::vector<std::size_t> dipoles_below(const Particle& p) {
  const std::size_t area = std::size_t(p.box[0]) * std::size_t(p.box[1]);
  std::vector<std::size_t> below(std::size_t(p.box[2]) + 1, 0);
#pragma omp parallel for schedule(static)
  for (int z = 0; z < p.box[2]; ++z) {
    const std::uint8_t *site = p.material.data() + std::size_t(z) * area, *const end = site + area;
    // in stretches whose count fits a short type: several times as many sites are compared at once
    for (constexpr std::ptrdiff_t stretch = 1 << 15; site < end;) {
      const std::uint8_t* const until = site + std::min(stretch, end - site);
      std::uint16_t count = 0;
      for (; site < until; ++site) count = std::uint16_t(count + (*site != 0));
      below[std::size_t(z) + 1] += count;
    }
  }
  for (std::size_t z = 1; z < below.size(); ++z) below[z] += below[z - 1];
  return below;
}

std::array<std::size_t, 256> sites_of_materials(std::span<const std::uint8_t> sites) {
  constexpr std::size_t stretch = std::size_t(1) << 20;
  const auto stretches = std::ptrdiff_t((sites.size() + stretch - 1) / stretch);
  std::array<std::size_t, 256> counts{};
#pragma omp parallel
  {
    // four tables in turn: neighbours are mostly of one material, and a count waits for the one before it
    std::array<std::array<std::size_t, 256>, 4> own{};
#pragma omp for schedule(static) nowait
    for (std::ptrdiff_t s = 0; s < stretches; ++s) {
      const auto some = sites.subspan(std::size_t(s) * stretch)
                            .first(std::min(stretch, sites.size() - std::size_t(s) * stretch));
      for (std::size_t i = 0; i < some.size(); ++i) ++own[i % 4][some[i]];
    }
#pragma omp critical(umov_sites_of_materials)
    for (const auto& table : own)
      for (std::size_t m = 0; m < counts.size(); ++m) counts[m] += table[m];
  }
  return counts;
}

}  // namespace umov::shapes
