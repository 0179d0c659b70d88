// Memory estimate and sizes of the transforms.
#include "dda/memory.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "linalg/krylov/solvers.hpp"

namespace umov::dda {

namespace {

std::size_t bytes_per_complex(Precision p) {
  switch (p) {
    case Precision::single:
      return 8;
    case Precision::double_:
      return 16;
    case Precision::long_double:
      return 32;
  }
  return 16;
}

int solver_vectors(const std::string& solver) {
  int vectors = 5;
  krylov::for_each_solver([&](auto tag, const char*) {
    if (solver == krylov::name_of(tag)) vectors = krylov::vectors_of(tag);
  });
  return vectors;
}

}  // namespace

int next_fast_length(int n) {
  for (;; ++n) {
    int rest = n;
    for (int p : {2, 3, 5, 7})
      while (rest % p == 0) rest /= p;
    if (rest == 1) return n;
  }
}

Int3 transform_grid(const Int3& box, const Int3& given) {
  Int3 grid;
  for (int c = 0; c < 3; ++c) {
    const int least = 2 * box[c];
    if (given[c] != 0 && given[c] < least)
      throw BadInput(
          fmt::format("transform grid of {} along {} (twice the particle's {} dipoles is {}) is too small; "
                      "give at least {} or leave it out",
                      given[c], "xyz"[c], box[c], least, least));
    // Even, so that the mirror octant ends on the highest frequency.
    int g = given[c] ? given[c] + given[c] % 2 : next_fast_length(least);
    while (g % 2) g = next_fast_length(g + 1);
    grid[c] = g;
  }
  return grid;
}

std::vector<MemoryUse> estimate_memory(const Problem& p, const std::string& solver, Precision precision) {
  const std::size_t complex = bytes_per_complex(precision);
  const auto& g = p.fft_grid;
  const auto& box = p.particle->box;
  const std::size_t n = 3 * p.particle->dipoles();
  const auto half = [](int v) { return std::size_t(v) / 2 + 1; };
  return {
      {"interaction tensor", 6 * half(g[0]) * half(g[1]) * half(g[2]) * complex},
      {"lines of the transform", std::size_t(3) * g[0] * box[1] * box[2] * complex},
      {"slices of the transform", std::size_t(3) * 8 * g[1] * g[2] * complex},
      {"bit fields of the particle", p.particle->sites() / 8 * 3 / 2 + 64},
      {"incident field and polarization", 2 * n * complex},
      {"iterative solver", (1 + std::size_t(solver_vectors(solver))) * n * complex},
  };
}

std::size_t total_bytes(const std::vector<MemoryUse>& list) {
  std::size_t sum = 0;
  for (const auto& m : list) sum += m.bytes;
  return sum;
}

}  // namespace umov::dda
