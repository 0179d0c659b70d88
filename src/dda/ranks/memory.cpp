#include "dda/ranks/memory.hpp"

#include <algorithm>

#include "dda/memory.hpp"
#include "dda/ranks/shares.hpp"
#include "dda/ranks/slab.hpp"

namespace umov::dda {

namespace {

/// Of the whole, what the rank with most of it has.
struct MostOf {
  double dipoles = 0, lines = 0, planes = 0, tensor = 0;
};

MostOf largest_parts(const Problem& p, int ranks) {
  const ParticleSlab slab = take_slab(*p.particle, 0, ranks);
  const FrequencyShares shares(p.fft_grid[0], ranks);
  MostOf most;
  for (int r = 0; r < ranks; ++r) {
    const auto part = [&](const std::vector<index_t>& borders) {
      return double(borders[std::size_t(r) + 1] - borders[std::size_t(r)]) / double(borders.back());
    };
    most.dipoles = std::max(most.dipoles, part(slab.dipoles));
    most.lines = std::max(most.lines, part(slab.planes));
    most.planes = std::max(most.planes, double(shares.planes(r)) / p.fft_grid[0]);
    most.tensor = std::max(most.tensor, part(shares.octant));
  }
  return most;
}

}  // namespace

std::vector<MemoryUse> estimate_rank_memory(const Problem& p, int ranks, const std::string& solver,
                                            Precision precision,
                                            const std::vector<Preconditioner>& preconditioners) {
  const MostOf most = largest_parts(p, ranks);
  const auto of = [](double part, std::size_t bytes) { return std::size_t(part * double(bytes)); };
  const std::size_t element = precision == Precision::single ? 8 : 16;
  const auto slices = [&](std::size_t one) {
    return std::size_t(3) * 8 * p.fft_grid[1] * p.fft_grid[2] * one;
  };
  Problem without = p;
  without.inner_float = false;
  std::size_t in_float = 0;
  for (const auto& use : estimate_memory(without, solver, Precision::single)) {
    if (use.name == "interaction tensor") in_float += of(most.tensor, use.bytes);
    if (use.name == "lines of the transform") in_float += of(most.lines + most.planes, use.bytes);
  }
  std::vector<MemoryUse> list;
  for (auto use : estimate_memory(p, solver, precision, "serial", 0, preconditioners)) {
    if (use.name == "interaction tensor" || use.name == "preconditioner") {
      use.bytes = of(most.tensor, use.bytes);
    } else if (use.name == "lines of the transform") {
      list.push_back({"planes of all ranks", of(most.planes, use.bytes)});
      use.bytes = of(most.lines, use.bytes);
    } else if (use.name == "slices of the transform") {
      use.bytes = slices(element);
    } else if (use.name == "bit fields of the particle") {
      use.bytes = of(most.lines, use.bytes);
    } else if (use.name == "product in float") {
      use.bytes = in_float + slices(8);
    } else if (use.name != "set-up of the preconditioner") {
      use.bytes = of(most.dipoles, use.bytes);
    }
    list.push_back(use);
  }
  return list;
}

}  // namespace umov::dda
