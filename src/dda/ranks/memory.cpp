#include "dda/ranks/memory.hpp"

#include <algorithm>
#include <numeric>

#include "backend/cpu/cpu.hpp"
#include "comm/parts.hpp"
#include "dda/memory.hpp"
#include "dda/ranks/product_choice.hpp"
#include "dda/ranks/shares.hpp"
#include "dda/ranks/slab.hpp"
#include "dda/tuned/cuda/choice.hpp"
#include "dda/tuned/cuda/rank_layout.hpp"

namespace umov::dda {

namespace {

/// Complex numbers of the product of the rank that has most of each.
struct RankSize {
  std::size_t tensor = 0, lines = 0, planes = 0, slices = 0;
  double share = 0;  ///< of the tensor
  void most(const RankSize& r) {
    tensor = std::max(tensor, r.tensor);
    lines = std::max(lines, r.lines);
    planes = std::max(planes, r.planes);
    slices = std::max(slices, r.slices);
    share = std::max(share, r.share);
  }
  std::size_t all() const { return tensor + lines + planes + slices; }
};

/// What all ranks know of a shared particle.
struct Shared {
  GridView grid;
  Int3 box;
  ParticleSlab slab;
  int ranks;
  std::size_t planes(int r) const {
    return std::size_t(slab.planes[std::size_t(r) + 1] - slab.planes[std::size_t(r)]);
  }
};

/// As RankConvolution allocates them.
RankSize simple_size(const Shared& s) {
  const FrequencyShares shares(s.grid.gx, s.ranks);
  RankSize size;
  for (int r = 0; r < s.ranks; ++r)
    size.most({std::size_t(6) * shares.stored(r) * s.grid.hy * s.grid.hz,
               std::size_t(3) * s.grid.gx * s.box[1] * s.planes(r),
               std::size_t(3) * shares.planes(r) * s.box[1] * s.box[2],
               std::size_t(3) * 8 * s.grid.gy * s.grid.gz, double(shares.stored(r)) / s.grid.hx});
  return size;
}

/// As cpu::RankLanes does with `lanes` numbers side by side.
RankSize lanes_size(const Shared& s, int lanes, int threads) {
  const int h = s.grid.gx / 2;
  std::vector<double> blocks;  // of each block of the tensor: its own, and that of mirror images
  for (int first = 0; 2 * first <= h; first += lanes)
    for (int p = 0; p < 2 && 2 * first + p <= h; ++p) {
      const int least = std::max(2 * first + p, p ? 1 : 2);
      blocks.push_back(least < h ? 2 : 1);
    }
  const auto borders = comm::balanced_parts(blocks, s.ranks);
  const auto w = std::size_t(lanes), rows = (std::size_t(s.box[1]) + w - 1) / w * w,
             nz = std::size_t(s.box[2]);
  const auto of = [&](std::size_t planes) { return 3 * planes * rows * w + 5 * w; };
  const std::size_t work = std::max(
      5 * std::size_t(h) * w, 6 * nz * (std::size_t(s.grid.gy) / 2 + 1) * w + std::size_t(3) * s.grid.gz * w);
  const auto total = [&](index_t from, index_t to) {
    return std::size_t(std::accumulate(blocks.begin() + from, blocks.begin() + to, 0.0));
  };
  RankSize size;
  for (int r = 0; r < s.ranks; ++r) {
    const index_t from = borders[std::size_t(r)], to = borders[std::size_t(r) + 1];
    const std::size_t own = total(from, to), all = total(0, index_t(blocks.size()));
    size.most({std::size_t(6) * std::size_t(to - from) * w * s.grid.hy * s.grid.hz,
               (all - own) * of(s.planes(r)), own * of(nz), threads * work,
               double(to - from) / double(blocks.size())});
  }
  return size;
}

/// As TunedRankConvolution does with `width` lines side by side, and slices of at most 16 MiB twice.
RankSize gpu_size(const Shared& s, int width, std::size_t element) {
  RankSize size;
  for (int r = 0; r < s.ranks; ++r) {
    const tuned::RankLayout layout(tuned::slot_layout(s.grid.gx, width), s.slab.planes, s.box[1], r, 8);
    const std::size_t group = std::size_t(3) * s.grid.gy * s.box[2] * width,
                      at_once = std::max<std::size_t>(1, (std::size_t(16) << 20) / (group * element)),
                      own = std::size_t(layout.own_groups());
    size.most({own ? std::size_t(layout.tiles(s.grid).size()) : 0, std::size_t(layout.size - layout.size_own),
               std::size_t(layout.size_own), 2 * group * std::min(at_once, own),
               double(own) / layout.slots.groups});
  }
  return size;
}

RankSize product_size(const Shared& s, Precision precision, const std::string& backend, int threads) {
  const std::size_t element = precision == Precision::single ? 8 : 16;
  const RankProduct asked = asked_rank_product();
  const bool even = s.grid.gx % 2 == 0 && s.grid.gy % 2 == 0 && s.grid.gz % 2 == 0;
  const bool small = index_t(s.box[0]) * s.box[1] * s.box[2] / s.ranks < backend::Cpu::worth_waking / 2;
  if (backend == "cpu" && even && asked != RankProduct::simple)
    return lanes_size(s, int(64 / element), small ? 1 : backend::Cpu(threads).threads());
  const bool tuned =
      asked == RankProduct::tuned || (asked == RankProduct::by_default && tuned::tuned_on_ranks);
  if (backend == "cuda" && tuned) return gpu_size(s, int(128 / element), element);
  return simple_size(s);
}

}  // namespace

std::vector<MemoryUse> estimate_rank_memory(const Problem& p, int ranks, const std::string& solver,
                                            Precision precision,
                                            const std::vector<Preconditioner>& preconditioners,
                                            const std::string& backend, int threads) {
  const Shared shared{grid_view(p.fft_grid), p.particle->box, take_slab(*p.particle, 0, ranks), ranks};
  const std::size_t element = precision == Precision::single ? 8 : 16;
  const RankSize product = product_size(shared, precision, backend, threads),
                 in_float = product_size(shared, Precision::single, backend, threads);
  double dipoles = 0, planes = 0;
  for (int r = 0; r < ranks; ++r) {
    const auto& d = shared.slab.dipoles;
    dipoles = std::max(dipoles, double(d[std::size_t(r) + 1] - d[std::size_t(r)]) / double(d.back()));
    planes = std::max(planes, double(shared.planes(r)) / shared.box[2]);
  }
  const auto of = [](double part, std::size_t bytes) { return std::size_t(part * double(bytes)); };
  std::vector<MemoryUse> list;
  for (auto use : estimate_memory(p, solver, precision, backend, threads, preconditioners)) {
    if (use.name == "interaction tensor") {
      use.bytes = product.tensor * element;
    } else if (use.name == "lines of the transform") {
      list.push_back({"planes of all ranks", product.planes * element});
      use.bytes = product.lines * element;
    } else if (use.name == "slices of the transform") {
      use.bytes = product.slices * element;
    } else if (use.name == "preconditioner") {
      use.bytes = of((p.inner_float ? in_float : product).share, use.bytes);
    } else if (use.name == "bit fields of the particle") {
      use.bytes = of(planes, use.bytes);
    } else if (use.name == "product in float") {
      use.bytes = in_float.all() * 8;
    } else if (use.name != "set-up of the preconditioner") {
      use.bytes = of(dipoles, use.bytes);
    }
    list.push_back(use);
  }
  return list;
}

}  // namespace umov::dda
