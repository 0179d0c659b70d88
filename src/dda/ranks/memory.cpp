#include "dda/ranks/memory.hpp"

#include <algorithm>
#include <numeric>

#include "backend/cpu/cpu.hpp"
#include "comm/parts.hpp"
#include "dda/ranks/inverse_lattice.hpp"
#include "dda/ranks/product_choice.hpp"
#include "dda/ranks/shares.hpp"
#include "dda/ranks/slab.hpp"
#include "dda/scheme/memory.hpp"
#include "dda/tuned/cuda/choice.hpp"
#include "dda/tuned/cuda/rank_layout.hpp"

namespace umov::dda {

namespace {

/// Complex numbers of the product of the rank that has most of each.
struct RankSize {
  std::size_t tensor = 0, lines = 0, planes = 0, slices = 0;
  void most(const RankSize& r) {
    tensor = std::max(tensor, r.tensor);
    lines = std::max(lines, r.lines);
    planes = std::max(planes, r.planes);
    slices = std::max(slices, r.slices);
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
               std::size_t(3) * 8 * s.grid.gy * s.grid.gz});
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
               (all - own) * of(s.planes(r)), own * of(nz), threads * work});
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
               std::size_t(layout.size_own), 2 * group * std::min(at_once, own)});
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

/// Numbers of a preconditioner's product.
std::size_t kept_size(const Preconditioner& p, const Shared& s, const RankSize& product) {
  if (p.kind == PreconditionerKind::none) return 0;
  if (p.kind == PreconditionerKind::medium) return product.tensor;
  return simple_size({grid_view(s.box), s.box, s.slab, s.ranks}).all();
}

/// Bytes while it is made, as InverseLattice takes them on the fullest rank.
std::size_t set_up_bytes(const Preconditioner& p, const Problem& problem, int ranks, std::size_t element,
                         bool host) {
  if (p.kind == PreconditionerKind::none) return 0;
  const GridView grid = grid_view(inverse_grid(p, *problem.particle));
  const Int3 extent = inverse_extent(problem, grid);
  const auto lags = lag_stretches(grid, ranks), own = comm::even_parts(grid.hx, ranks),
             table = table_stretches(problem, p, extent[2], ranks);
  const std::size_t buffer = inverse_buffer(grid, host);
  std::size_t most = 0;
  for (std::size_t r = 0; r < std::size_t(ranks); ++r) {
    const std::size_t nx = extent[0], ny = extent[1], nz = table[r + 1] - table[r],
                      there = std::size_t(own[r + 1] - own[r]) * grid.hz * grid.hy,
                      lag = std::size_t(grid.hx) * (lags[r + 1] - lags[r]) * grid.hy,
                      parted = (own[r + 1] - own[r]) * extent[2] * ny, taken = grid.hx * nz * ny;
    const std::size_t back = (parted + taken) * element + 6 * nx * ny * nz * sizeof(cplx);
    most = std::max(most, (6 * std::max(lag, there) + buffer) * element + std::max(there * element, back));
  }
  return most;
}

/// The largest share of the dipoles that a rank has.
double share_of_dipoles(const ParticleSlab& slab) {
  double most = 0;
  for (std::size_t r = 0; r + 1 < slab.dipoles.size(); ++r)
    most = std::max(most, double(slab.dipoles[r + 1] - slab.dipoles[r]) / double(slab.all_dipoles()));
  return most;
}

}  // namespace

std::size_t rank_block_bytes(const Problem& p, int ranks, Precision precision) {
  const std::size_t element = precision == Precision::single ? 8 : 16, iterated = p.inner_float ? 8 : element;
  constexpr std::size_t vectors = 2 + 3;  // x, r, and those of krylov::BlockCocg
  const double n = 3 * double(p.particle->dipoles()) * share_of_dipoles(share_planes(*p.particle, 0, ranks));
  return std::size_t(n * double(element + vectors * iterated));
}

std::vector<MemoryUse> estimate_rank_memory(const Problem& p, int ranks, const std::string& solver,
                                            Precision precision,
                                            const std::vector<Preconditioner>& preconditioners,
                                            const std::string& backend, int threads) {
  const Shared shared{grid_view(p.fft_grid), p.particle->box, share_planes(*p.particle, 0, ranks), ranks};
  const std::size_t element = precision == Precision::single ? 8 : 16;
  const RankSize product = product_size(shared, precision, backend, threads),
                 in_float = product_size(shared, Precision::single, backend, threads);
  const double dipoles = share_of_dipoles(shared.slab);
  double planes = 0;
  for (int r = 0; r < ranks; ++r) planes = std::max(planes, double(shared.planes(r)) / shared.box[2]);
  const auto of = [](double part, std::size_t bytes) { return std::size_t(part * double(bytes)); };
  const std::size_t iterated = p.inner_float ? 8 : element;
  std::size_t kept = 0, set_up = 0, solving = 0;
  for (const Preconditioner& one : preconditioners) {
    kept = std::max(kept, kept_size(one, shared, p.inner_float ? in_float : product) * iterated);
    set_up = std::max(set_up, set_up_bytes(one, p, ranks, iterated, backend != "cuda"));
  }
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
      use.bytes = kept;
    } else if (use.name == "bit fields of the particle") {
      use.bytes = of(planes, use.bytes);
    } else if (use.name == "product in float") {
      use.bytes = in_float.all() * 8;
    } else if (use.name == "set-up of the preconditioner") {
      continue;
    } else {
      use.bytes = of(dipoles, use.bytes);
    }
    if (use.name == "iterative solver") solving = use.bytes;
    list.push_back(use);
  }
  // the solver's vectors come after it
  if (set_up > solving) list.push_back({"set-up of the preconditioner", set_up - solving});
  return list;
}

}  // namespace umov::dda
