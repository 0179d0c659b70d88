// The rows along x of the lanes' product: from dipoles to blocks of frequencies and back.
#pragma once

#include <algorithm>
#include <bit>

#include "backend/reduce.hpp"
#include "dda/kernels/lattice.hpp"
#include "dda/tuned/cpu/lane_blocks.hpp"

namespace umov::dda::cpu {

/// W rows of one z are transformed together. `plane(b, z)` is where plane z of block b of the list begins,
/// [3][ny, padded to W][W].
template <class T, class Axis>
class LaneRows {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;
  static constexpr int W = lanes<T>;

 public:
  LaneRows(const LatticeView& lattice, const LaneBlocks<T, Axis>& blocks)
      : lattice_(lattice), blocks_(blocks) {}

  /// W rows along x of plane z: scatter, transform both parities, sort into blocks.
  template <class Plane>
  void scatter(const Plane& plane, int z, int group, const C* root, const C* x, bool adjoint, C* work) const {
    const auto& along_x = blocks_.along_x();
    const auto& list = blocks_.list();
    const int count = int(list.size());
    const std::size_t line = line_size();
    C* spectrum = work + 3 * line;
    if (!occupied(z, group)) {
      for (int b = 0; b < count; ++b)
        for (int c = 0; c < 3; ++c) std::fill_n(plane(b, z) + row(c, group), W * W, C(0, 0));
      return;
    }
    for (int c = 0; c < 3; ++c) std::fill_n(work + c * line, std::size_t(lattice_.nx) * W, C(0, 0));
    for_runs(z, group, [&](int l, int ix, index_t i, int run) {
      for (int c = 0; c < 3; ++c) {
        const C* from = x + c * lattice_.dipoles + i;
        C* to = work + c * line + std::size_t(ix) * W + l;
        for (int k = 0; k < run; ++k)
          to[k * W] = root[3 * lattice_.material(i + k) + c] * (adjoint ? conj(from[k]) : from[k]);
      }
    });
    for (int c = 0; c < 3; ++c) {
      for (int p = 0; p < 2; ++p) along_x.forward(c, work + c * line, W, lattice_.nx, p, spectrum + p * line);
      for (int b = 0; b < count; ++b) {
        C* to = plane(b, z) + row(c, group);
        const C* from = spectrum + list[b].parity * line;
        for (int l = 0; l < W; ++l) {
          const int j = list[b].index[l];
          for (int r = 0; r < W; ++r) to[r * W + l] = j < 0 ? C(0, 0) : from[j * W + r];
        }
      }
    }
  }

  /// The way back for W rows, with y = x - S(...) and its sums.
  template <class Plane>
  void gather(const Plane& plane, int z, int group, const C* root, const C* x, C* y, bool adjoint, C* work,
              backend::Sums<A, 5>& sums) const {
    if (!occupied(z, group)) return;
    const auto& along_x = blocks_.along_x();
    const auto& list = blocks_.list();
    const int count = int(list.size());
    const std::size_t line = line_size();
    C* spectrum = work + 3 * line;
    for (int c = 0; c < 3; ++c) {
      for (int b = 0; b < count; ++b) {
        const C* from = plane(b, z) + row(c, group);
        C* to = spectrum + list[b].parity * line;
        for (int l = 0; l < W; ++l) {
          const int j = list[b].index[l];
          if (j < 0) continue;
          for (int r = 0; r < W; ++r) to[j * W + r] = from[r * W + l];
        }
      }
      for (int p = 0; p < 2; ++p)
        along_x.backward(c, spectrum + p * line, p, lattice_.nx, work + c * line, W);
    }
    for_runs(z, group, [&](int l, int ix, index_t i, int run) {
      for (int c = 0; c < 3; ++c) {
        const C* sites = work + c * line + std::size_t(ix) * W + l;
        const index_t first = c * lattice_.dipoles + i;
        for (int k = 0; k < run; ++k) {
          const C a = x[first + k], g = root[3 * lattice_.material(i + k) + c] * sites[k * W];
          const C b = a - (adjoint ? conj(g) : g), ab = a * b, ahb = conj(a) * b;
          y[first + k] = b;
          sums.v[0] += ab.re;
          sums.v[1] += ab.im;
          sums.v[2] += ahb.re;
          sums.v[3] += ahb.im;
          sums.v[4] += norm2(b);
        }
      }
    });
  }

  /// Groups of W rows of a plane z.
  int groups() const { return blocks_.rows() / W; }
  /// Of a thread that scatters or gathers.
  std::size_t work_size() const { return 5 * line_size(); }

 private:
  /// W lines along x, or their frequencies of one parity.
  std::size_t line_size() const {
    return std::size_t(std::max(lattice_.nx, blocks_.along_x().most_slots())) * W;
  }
  std::size_t row(int c, int group) const { return (std::size_t(c) * blocks_.rows() + group * W) * W; }

  /// Calls f(lane, ix, dipole, count) for the runs of occupied sites in W rows.
  template <class F>
  void for_runs(int z, int group, const F& f) const {
    for (int l = 0; l < W && group * W + l < lattice_.ny; ++l) {
      const index_t first = lattice_.nx * (group * W + l + index_t(lattice_.ny) * z),
                    last = first + lattice_.nx;
      for (index_t s = first; s < last;) {
        const int shift = int(s & 63), left = int(std::min<index_t>(last - s, 64 - shift));
        const std::uint64_t bits = lattice_.occupied[s >> 6] >> shift;
        const int skip = std::min(left, std::countr_zero(bits));
        if (skip == left) {
          s += left;
          continue;
        }
        const int count = std::min(left - skip, std::countr_one(bits >> skip));
        f(l, int(s + skip - first), lattice_.dipole(s + skip), count);
        s += skip + count;
      }
    }
  }
  bool occupied(int z, int group) const {
    bool any = false;
    for_runs(z, group, [&](int, int, index_t, int) { any = true; });
    return any;
  }

  LatticeView lattice_;
  const LaneBlocks<T, Axis>& blocks_;
};

}  // namespace umov::dda::cpu
