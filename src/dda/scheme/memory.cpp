// Memory estimate and sizes of the transforms.
#include "dda/scheme/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "backend/cpu/cpu.hpp"
#include "core/error.hpp"
#include "dda/mirror/fraction.hpp"
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

int solver_vectors(const std::string& solver, bool preconditioned) {
  int vectors = 5;
  const auto name = krylov::solver_name(solver);
  krylov::for_each_solver([&](auto tag, const char*) {
    if (name.solver == krylov::name_of(tag)) vectors = krylov::vectors_of(tag, preconditioned, name.order);
  });
  return vectors;
}

/// Of krylov::BlockCocg, for each column besides x and r.
constexpr std::size_t block_vectors = 3;

/// Complex numbers that a product keeps.
struct ProductSize {
  std::size_t tensor, lines, slices;
};

/// As Convolution allocates them.
ProductSize generic_size(const Int3& g, const Int3& box) {
  const auto stored = [](int v) { return std::size_t(v) / 2 + 1; };
  int width = 1;
  while (width < 8 && g[0] % (2 * width) == 0) width *= 2;
  return {6 * stored(g[0]) * stored(g[1]) * stored(g[2]), std::size_t(3) * g[0] * box[1] * box[2],
          std::size_t(3) * width * g[1] * g[2]};
}

/// As cpu::LaneConvolution allocates them: frequencies kx of either parity in blocks of `lanes`, those beyond
/// gx/2 in blocks of their own, rows in groups of `lanes`; planes and columns of one block a thread.
ProductSize lane_size(const Int3& g, const Int3& box, int lanes, int threads) {
  const auto blocks = [lanes](int frequencies) { return std::size_t((frequencies + lanes - 1) / lanes); };
  const int h = g[0] / 2, above = (h - 1) / 2;  // even frequencies strictly between 0 and gx/2
  const std::size_t direct = blocks(h / 2 + 1) + blocks((h + 1) / 2);
  // Mirror blocks keep the lanes of the direct ones, in which frequency 0 takes the first place.
  const std::size_t mirrored = (above > 0 ? blocks(above + 1) : 0) + blocks(h / 2);
  const std::size_t rows = blocks(box[1]) * lanes, w = lanes, nz = box[2];
  const std::size_t work =
      std::max(std::size_t(5) * h * w, 6 * nz * (g[1] / 2 + 1) * w + std::size_t(3) * g[2] * w);
  return {6 * w * direct * (g[1] / 2 + 1) * (g[2] / 2 + 1), (direct + mirrored) * (3 * nz * rows * w + 5 * w),
          threads * work};
}

ProductSize product_size(const Problem& p, Precision precision, const std::string& backend, int threads) {
  const auto& g = p.fft_grid;
  const bool even = g[0] % 2 == 0 && g[1] % 2 == 0 && g[2] % 2 == 0;
  if (backend != "cpu" || !even) return generic_size(g, p.particle->box);
  const bool shared = index_t(p.particle->sites()) >= backend::Cpu::worth_waking / 2;
  const int lanes = int(64 / bytes_per_complex(precision));
  return lane_size(g, p.particle->box, lanes, shared ? backend::Cpu(threads).threads() : 1);
}

/// As MirrorConvolution allocates them.
ProductSize generic_fraction_size(const Int3& g, const Int3& part, const Planes& planes) {
  const auto stored = [](int v) { return std::size_t(v) / 2 + 1; };
  const auto kept = [&](int a) { return planes[a] ? stored(g[a]) : std::size_t(g[a]); };
  const std::size_t slab = 3 * std::min<std::size_t>(8, kept(0));
  const std::size_t columns = std::max<std::size_t>(slab * g[2] * kept(1), std::max({g[0], g[1], g[2]}));
  return {6 * stored(g[0]) * stored(g[1]) * stored(g[2]), std::size_t(3) * g[0] * part[1] * part[2],
          slab * g[1] * part[2] + columns};
}

/// As cpu::LaneConvolution allocates them over cpu::FoldedTransform.
ProductSize folded_size(const Int3& g, const Int3& part, const Planes& planes, int lanes, int threads) {
  const auto blocks = [lanes](int frequencies) { return std::size_t((frequencies + lanes - 1) / lanes); };
  const auto slots = [&](int a) { return std::size_t(planes[a] ? g[a] / 4 + 1 : g[a] / 2); };
  const int h = g[0] / 2, above = (h - 1) / 2;
  const std::size_t direct = blocks(h / 2 + 1) + blocks((h + 1) / 2);
  const std::size_t mirrored = planes[0] ? 0 : (above > 0 ? blocks(above + 1) : 0) + blocks(h / 2);
  const std::size_t rows = blocks(part[1]) * lanes, w = lanes, nz = part[2];
  const std::size_t work = std::max(5 * std::max<std::size_t>(part[0], slots(0)) * w,
                                    6 * nz * (slots(1) + 1) * w + 6 * slots(2) * w);
  return {6 * w * direct * (g[1] / 2 + 1) * (g[2] / 2 + 1), (direct + mirrored) * (3 * nz * rows * w + 5 * w),
          threads * work};
}

/// Of the product on a fraction of a particle.
ProductSize fraction_size(const Problem& p, const MirrorFraction& f, Precision precision,
                          const std::string& backend, int threads) {
  const auto& g = p.fft_grid;
  const bool even = g[0] % 2 == 0 && g[1] % 2 == 0 && g[2] % 2 == 0;
  if (backend != "cpu" || !even) return generic_fraction_size(g, f.particle.box, f.planes);
  const bool shared = index_t(f.particle.sites()) >= backend::Cpu::worth_waking / 2;
  const int lanes = int(64 / bytes_per_complex(precision));
  return folded_size(g, f.particle.box, f.planes, lanes, shared ? backend::Cpu(threads).threads() : 1);
}

struct PreconditionerSize {
  std::size_t kept = 0, set_up = 0;  ///< complex numbers of the precision
  std::size_t table = 0;             ///< complex numbers in double, of the set-up
};

/// As LatticePreconditioner and InverseLattice allocate them; `tensor` is that of the product.
PreconditionerSize preconditioner_size(const Preconditioner& p, const shapes::Particle& particle,
                                       std::size_t tensor, bool host, const MirrorFraction* fraction) {
  PreconditionerSize size;
  if (p.kind == PreconditionerKind::none) return size;
  const Int3 grid = inverse_grid(p, particle);
  const ProductSize there = fraction && p.kind == PreconditionerKind::circulant
                                ? generic_fraction_size(grid, fraction->particle.box, fraction->planes)
                                : generic_size(grid, particle.box);
  size.kept = p.kind == PreconditionerKind::medium ? tensor : there.tensor + there.lines + there.slices;
  const auto half = [](int n) { return n / 2 + 1; };
  size.set_up =
      there.tensor +
      inverse_buffer({grid[0], grid[1], grid[2], half(grid[0]), half(grid[1]), half(grid[2])}, host);
  size.table = 6 * particle.sites();
  return size;
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

Int3 inverse_grid(const Preconditioner& p, const shapes::Particle& particle) {
  if (p.kind == PreconditionerKind::circulant) return particle.box;
  Int3 grid;
  for (int c = 0; c < 3; ++c) {
    const int lags = std::max(int(std::ceil(2 * p.reach[c] / particle.spacing[c])), particle.box[c]);
    int g = next_fast_length(2 * lags);
    while (g % 2) g = next_fast_length(g + 1);
    grid[c] = g;
  }
  return grid;
}

namespace {

/// Of the whole, or of a fraction with the whole's fields.
std::vector<MemoryUse> estimate(const Problem& p, const MirrorFraction* fraction, const std::string& solver,
                                Precision precision, const std::string& backend, int threads,
                                const std::vector<Preconditioner>& preconditioners) {
  const auto product = [&](Precision in) {
    return fraction ? fraction_size(p, *fraction, in, backend, threads)
                    : product_size(p, in, backend, threads);
  };
  const std::size_t complex = bytes_per_complex(precision), whole = 3 * p.particle->dipoles(),
                    n = fraction ? 3 * fraction->particle.dipoles() : whole;
  const ProductSize size = product(precision);
  const std::size_t iterated = p.inner_float ? bytes_per_complex(Precision::single) : complex;
  const std::size_t vectors = 1 + std::size_t(solver_vectors(solver, !preconditioners.empty()));
  // beside the solver's in float: its solution, and at each refresh the residual in double and once more
  const std::size_t solving =
      p.inner_float ? (vectors + 2) * n * iterated + n * complex : vectors * n * complex;
  std::vector<MemoryUse> list{
      {"interaction tensor", size.tensor * complex},
      {"lines of the transform", size.lines * complex},
      {"slices of the transform", size.slices * complex},
      {"bit fields of the particle", p.particle->sites() / 8 * 3 / 2 + 64},
      {"incident field and polarization", 2 * (fraction ? whole + n : n) * complex},
      {"iterative solver", solving},
  };
  ProductSize iterating = size;
  if (p.inner_float) {
    iterating = product(Precision::single);
    list.push_back({"product in float", (iterating.tensor + iterating.lines + iterating.slices) * iterated});
  }
  std::size_t kept = 0, set_up = 0;
  for (const auto& one : preconditioners) {
    const PreconditionerSize s =
        preconditioner_size(one, *p.particle, iterating.tensor, backend != "cuda", fraction);
    kept = std::max(kept, s.kept * iterated);
    set_up = std::max(set_up, s.set_up * iterated + s.table * sizeof(cplx));
  }
  if (kept > 0) {
    list.push_back({"preconditioner", kept});
    // the solver's vectors come after it
    if (set_up > solving) list.push_back({"set-up of the preconditioner", set_up - solving});
  }
  return list;
}

}  // namespace

std::vector<MemoryUse> estimate_memory(const Problem& p, const std::string& solver, Precision precision,
                                       const std::string& backend, int threads,
                                       const std::vector<Preconditioner>& preconditioners) {
  return estimate(p, nullptr, solver, precision, backend, threads, preconditioners);
}

std::vector<MemoryUse> estimate_memory(const Problem& p, const std::array<bool, 3>& planes,
                                       const std::string& solver, Precision precision,
                                       const std::string& backend, int threads,
                                       const std::vector<Preconditioner>& preconditioners) {
  const MirrorFraction fraction = take_fraction(*p.particle, planes);
  auto list = estimate(p, &fraction, solver, precision, backend, threads, preconditioners);
  // numbers of the images, and the fields of the whole on the host while they are parted
  list.push_back({"parts of the fields", p.particle->dipoles() * (4 + 3 * sizeof(CVec3))});
  return list;
}

std::size_t block_bytes(const Problem& p, const std::array<bool, 3>& planes, Precision precision,
                        const std::string& backend, int threads) {
  const Precision iterated = p.inner_float ? Precision::single : precision;
  const std::size_t element = bytes_per_complex(precision), whole = p.particle->dipoles();
  const auto solving = [&](std::size_t dipoles, std::size_t lines) {
    const std::size_t n = 3 * dipoles, vectors = 2 + block_vectors;
    return n * element + (vectors * n + lines) * bytes_per_complex(iterated);
  };
  if (!planes[0] && !planes[1] && !planes[2])
    return solving(whole, product_size(p, iterated, backend, threads).lines);
  const MirrorFraction fraction = take_fraction(*p.particle, planes);
  const std::size_t part = fraction.particle.dipoles();
  // of the whole: the columns, and on the host their fields while they are parted
  return solving(part, fraction_size(p, fraction, iterated, backend, threads).lines) + 3 * whole * element +
         (2 * whole + part) * sizeof(CVec3);
}

std::size_t total_bytes(const std::vector<MemoryUse>& list) {
  std::size_t sum = 0;
  for (const auto& m : list) sum += m.bytes;
  return sum;
}

}  // namespace umov::dda
