// A walk over the grid that takes whole boxes of one material at once and goes to single cells near surfaces.
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/interruption.hpp"
#include "fdtd/model/paint.hpp"

namespace umov::fdtd {

/// Cells lo <= ijk < hi, ghosts included.
struct Block {
  Int3 lo, hi;
};

/// The grid and a ring of ghosts, cut into blocks that threads can share.
inline std::vector<Block> blocks_of(const Grid& g) {
  const int edge = dimensions(g.mode) == 3 ? 16 : dimensions(g.mode) == 2 ? 64 : 1024;
  Int3 lo{0, 0, 0}, hi{1, 1, 1};
  for (int a = 0; a < dimensions(g.mode); ++a) lo[a] = -1, hi[a] = g.cells[a] + 1;
  std::vector<Block> all;
  for (int k = lo[2]; k < hi[2]; k += edge)
    for (int j = lo[1]; j < hi[1]; j += edge)
      for (int i = lo[0]; i < hi[0]; i += edge)
        all.push_back(
            {{i, j, k}, {std::min(i + edge, hi[0]), std::min(j + edge, hi[1]), std::min(k + edge, hi[2])}});
  return all;
}

/// Calls uniform(block, material) for blocks that hold one material, all places of their components and
/// `reach` cells around them included, and mixed(cell) for the other cells.
template <class Uniform, class Mixed>
void walk_interfaces(const Scene& scene, const Grid& g, const Block& b, const Uniform& uniform,
                     const Mixed& mixed, double reach = 0.5) {
  Vec3 lo{0, 0, 0}, hi{0, 0, 0};
  for (int a = 0; a < dimensions(g.mode); ++a) {
    lo[a] = g.place(a, b.lo[a] - reach);
    hi[a] = g.place(a, b.hi[a] - 0.5 + reach);
  }
  if (!scene.mixed(lo, hi)) return uniform(b, scene.material_at(0.5 * (lo + hi)));
  if (b.hi[0] - b.lo[0] <= 1 && b.hi[1] - b.lo[1] <= 1 && b.hi[2] - b.lo[2] <= 1) return mixed(b.lo);
  Int3 middle;
  for (int a = 0; a < 3; ++a) middle[a] = b.lo[a] + std::max(1, (b.hi[a] - b.lo[a]) / 2);
  for (int part = 0; part < 8; ++part) {
    Block child = b;
    for (int a = 0; a < 3; ++a) ((part >> a) & 1 ? child.lo : child.hi)[a] = middle[a];
    if (child.lo[0] < child.hi[0] && child.lo[1] < child.hi[1] && child.lo[2] < child.hi[2])
      walk_interfaces(scene, g, child, uniform, mixed, reach);
  }
}

/// Every block of the grid on all cores: each thread's visitor, made by `make`, visits (block) some and
/// leaves what it took() to `merge`. Throws Error(Exit::interrupted) soon after a signal has arrived;
/// visitors are to skip what is left of a block then.
template <class Make, class Merge>
void visit_blocks(const Grid& g, const Told& told, const Make& make, const Merge& merge) {
  const std::vector<Block> all = blocks_of(g);
  std::atomic<std::size_t> done{0};
#pragma omp parallel
  {
    auto visitor = make();
#pragma omp for schedule(dynamic)
    for (std::size_t b = 0; b < all.size(); ++b) {
      if (!interrupted()) visitor.visit(all[b]);
      const std::size_t so_far = ++done;
      if (told && omp_get_thread_num() == 0) told(double(so_far) / double(all.size()));
    }
#pragma omp critical
    merge(visitor.take());
  }
  stop_if_interrupted("while bodies were painted");
}

}  // namespace umov::fdtd
