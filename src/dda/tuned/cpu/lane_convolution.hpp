// The matrix-vector product on processors for grids of even lengths: the tuned twin of Convolution.
#pragma once

#include <omp.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <vector>

#include "backend/cpu/cpu.hpp"
#include "dda/lattice.hpp"
#include "dda/mirror/fraction.hpp"
#include "dda/tensor_builder.hpp"
#include "dda/tuned/cpu/folded_transform.hpp"
#include "dda/tuned/cpu/half_transform.hpp"
#include "linalg/krylov/krylov.hpp"

namespace umov::dda::cpu {

/// y = x - S G S x as Convolution has it, for grids of even lengths.
///
/// Lines along x are transformed W at a time (W lanes fill a cache line) and kept as blocks of W frequencies,
/// [block][3][nz][ny][W]; one block is one task, whose planes stay in the core's own cache. A block holds
/// frequencies of one parity; those beyond gx/2 come in the order of their mirror images, so that a block
/// and its mirror read the same rows of the tensor, [parity][block][ky][kz][6][W].
/// Per block and ky the 3 nz W numbers of a column are transformed along z, multiplied and transformed back
/// in the first-level cache. Memory: 96 B a site each for lines and tensor in double. Operations for n^3
/// sites in a 2n grid: 5 (2n) log2(n) a line and direction, 12 n^2 + 24 n^2 + 48 n^2 half lines, and 66 a
/// frequency for the tensor.
///
/// With FoldedTransform for its axes it is the product on a mirror fraction (MirrorConvolution): an axis with
/// a plane has half the sites and half the frequencies, none of them a mirror image of another.
template <class Dev, class T, class Axis = HalfTransform<T>>
class LaneConvolution {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;
  using Lanes = Pack<T>;
  static constexpr int W = lanes<T>;
  static constexpr bool folds = !std::is_same_v<Axis, HalfTransform<T>>;

 public:
  LaneConvolution(Dev& dev, const Problem& problem, const LatticeView& lattice)
      : LaneConvolution(dev, problem, lattice, std::make_shared<Work>()) {
    work_->lines = backend::HostArray<C>(lines_size());
    for (int t = 0; t < threads_; ++t) work_->of_thread.push_back(backend::HostArray<C>(work_size()));
  }
  /// Another interaction on the lattice and the grid of `twin`, in its work memory: one product at a time.
  LaneConvolution(const LaneConvolution& twin, const Problem& problem)
      : LaneConvolution(twin.dev_, problem, twin.lattice_, twin.work_) {}

  krylov::ProductSums<A> apply(const C* root, const C* x, C* y, bool adjoint) {
    run(root, x, y, adjoint, 1);
    const auto s = backend::pairwise(sums_);
    return {{s.v[0], s.v[1]}, {s.v[2], s.v[3]}, s.v[4]};
  }
  /// Of several vectors, one after the other. The columns of a block of frequencies follow each other on one
  /// thread, so that its part of the tensor comes from memory once for `at_once` of them.
  void apply_block(const C* root, const C* x, C* y, int columns) {
    const index_t n = 3 * lattice_.dipoles;
    for (int first = 0; first < columns; first += at_once) {
      const int count = std::min(at_once, columns - first);
      const std::size_t size = count * lines_size();
      if (work_->lines.size() < size) work_->lines = backend::HostArray<C>(size);
      run(root, x + first * n, y + first * n, false, count);
    }
  }

  std::vector<MemoryUse> memory() const {
    std::size_t work = 0;
    for (const auto& w : work_->of_thread) work += w.bytes();
    return {{"interaction tensor", tensor_.bytes()},
            {"lines of the transform", work_->lines.bytes()},
            {"slices of the transform", work}};
  }

 private:
  /// What a product needs besides its tensor.
  struct Work {
    backend::HostArray<C> lines;
    std::vector<backend::HostArray<C>> of_thread;
  };

  /// Columns of a block product whose lines are kept at the same time: more of them drive each other out of
  /// the caches (n = 20: 1.4 times the time a column at eight), and a quarter of the tensor's reading is
  /// little.
  static constexpr int at_once = 4;

  void run(const C* root, const C* x, C* y, bool adjoint, int columns) {
    const int tasks = lattice_.nz * groups_;
    const index_t n = 3 * lattice_.dipoles;
    sums_.assign(std::size_t(columns) * tasks, {});
#pragma omp parallel num_threads(threads_)
    {
      C* work = work_->of_thread[omp_get_thread_num()].data();
#pragma omp for schedule(static)
      for (int t = 0; t < columns * tasks; ++t) {
        const int column = t / tasks, task = t % tasks;
        scatter(lines(column), task / groups_, task % groups_, root, x + column * n, adjoint, work);
      }
#pragma omp for schedule(dynamic, 1)
      for (int b = 0; b < int(blocks_.size()); ++b)
        for (int column = 0; column < columns; ++column) transform_block(lines(column), b, work);
#pragma omp for schedule(static)
      for (int t = 0; t < columns * tasks; ++t) {
        const int column = t / tasks, task = t % tasks;
        gather(lines(column), task / groups_, task % groups_, root, x + column * n, y + column * n, adjoint,
               work, sums_[t]);
      }
    }
  }

  LaneConvolution(Dev& dev, const Problem& problem, const LatticeView& lattice, std::shared_ptr<Work> work)
      : dev_(dev),
        lattice_(lattice),
        grid_(grid_view(problem.fft_grid)),
        fraction_(problem.fraction),
        along_x_(make_axis(grid_.gx, 0)),
        along_y_(make_axis(grid_.gy, 1)),
        along_z_(make_axis(grid_.gz, 2)),
        work_(std::move(work)) {
    list_blocks();
    build_tensor(problem);
    groups_ = (lattice.ny + W - 1) / W;
    rows_ = groups_ * W;
    z_stride_ = (most_slots(along_y_) + 1) * W;  // one line more: no power of two between planes
    threads_ = lattice.sites() < Dev::worth_waking / 2 ? 1 : dev.threads();
  }

  Axis make_axis(int g, int a) const {
    if constexpr (folds)
      return Axis(g, fraction_->whole[a], fraction_->planes[a], dev_.threads());
    else
      return Axis(g);
  }
  /// Frequencies of parity p.
  static int slots(const Axis& axis, int p) {
    if constexpr (folds)
      return axis.slots(p);
    else
      return axis.half();
  }
  static int most_slots(const Axis& axis) { return std::max(slots(axis, 0), slots(axis, 1)); }
  /// Whether frequencies beyond g/2 are kept, too.
  static bool has_images(const Axis& axis) {
    if constexpr (folds)
      return axis.plain();
    else
      return true;
  }
  void forward(const Axis& axis, int a, int c, const C* from, std::ptrdiff_t stride, int n, int p,
               C* to) const {
    if constexpr (folds)
      axis.forward(from, stride, n, p, to, component_parity(fraction_->parity, c, a));
    else
      axis.forward(from, stride, n, p, to);
  }
  void backward(const Axis& axis, int a, int c, C* from, int p, int n, C* to, std::ptrdiff_t stride) const {
    if constexpr (folds)
      axis.backward(from, p, n, to, stride, component_parity(fraction_->parity, c, a));
    else
      axis.backward(from, p, n, to, stride);
  }

  /// W frequencies kx of one parity; lane l is slot index[l] of that parity, or none (-1).
  struct Block {
    int parity, tensor;  ///< tensor: which block of tensor rows
    bool mirrored;       ///< kx beyond gx/2
    int index[W];
  };

  void list_blocks() {
    const int h = along_x_.half();  // highest stored frequency gx/2
    for (int p = 0; p < 2; ++p)
      for (int first = 0; 2 * first + p <= h; first += W, ++tensor_blocks_) {
        Block direct{p, tensor_blocks_, false, {}}, mirror{p, tensor_blocks_, true, {}};
        bool any = false;
        for (int l = 0; l < W; ++l) {
          const int k = 2 * (first + l) + p;
          direct.index[l] = k <= h ? along_x_.slot(k) : -1;
          mirror.index[l] = k > 0 && k < h && has_images(along_x_) ? along_x_.slot(grid_.gx - k) : -1;
          any |= mirror.index[l] >= 0;
        }
        blocks_.push_back(direct);
        if (any) blocks_.push_back(mirror);
      }
  }

  /// One odd number of cache lines more than the planes need: neighbouring blocks must not share cache sets.
  std::size_t block_size() const { return std::size_t(3) * lattice_.nz * rows_ * W + 5 * W; }
  std::size_t work_size() const {
    const std::size_t rows = 5 * row_size();
    const std::size_t planes = std::size_t(6) * lattice_.nz * z_stride_,
                      columns = std::size_t(6) * most_slots(along_z_) * W;
    return std::max(rows, planes + columns);
  }
  /// W lines along x, or their frequencies of one parity.
  std::size_t row_size() const { return std::size_t(std::max(lattice_.nx, most_slots(along_x_))) * W; }
  std::size_t lines_size() const { return blocks_.size() * block_size(); }
  C* lines(int column) { return work_->lines.data() + column * lines_size(); }
  C* plane(C* lines, int block, int c, int z) const {
    return lines + block * block_size() + std::size_t(c * lattice_.nz + z) * rows_ * W;
  }
  /// Row of the tensor for one block of kx: [kz][6][W], kz up to gz/2.
  const C* tensor_row(int block, int ky) const {
    return tensor_.data() + (std::size_t(block) * grid_.hy + ky) * grid_.hz * 6 * W;
  }

  /// Builds the octant by the named kernels and regroups it in blocks.
  void build_tensor(const Problem& problem) {
    const std::size_t plane = std::size_t(grid_.hy) * grid_.hz;
    backend::HostArray<C> octant(6 * plane * grid_.hx);
    {
      const std::size_t longest = std::max({grid_.gx, grid_.gy, grid_.gz});
      backend::HostArray<C> buffer(longest * std::clamp<std::size_t>(plane, 1, 4096));
      TensorBuilder<Dev, T>(dev_, problem, grid_, buffer).all(octant.data());
    }
    tensor_ = backend::HostArray<C>(std::size_t(tensor_blocks_) * plane * 6 * W);
    for (const Block& b : blocks_) {
      if (b.mirrored) continue;
#pragma omp parallel for num_threads(dev_.threads()) schedule(static)
      for (int ky = 0; ky < grid_.hy; ++ky) {
        C* row = const_cast<C*>(tensor_row(b.tensor, ky));
        for (int kz = 0; kz < grid_.hz; ++kz)
          for (int c = 0; c < 6; ++c)
            for (int l = 0; l < W; ++l) {
              const int kx = along_x_.frequency(b.parity, std::max(b.index[l], 0));
              row[(kz * 6 + c) * W + l] =
                  b.index[l] < 0
                      ? C(0, 0)
                      : octant.data()[(std::size_t(kx) * 6 + c) * plane + std::size_t(kz) * grid_.hy + ky];
            }
      }
    }
  }

  /// W rows along x of plane z: scatter, transform both parities, sort into blocks.
  void scatter(C* lines, int z, int group, const C* root, const C* x, bool adjoint, C* work) {
    const std::size_t line = row_size();
    C* spectrum = work + 3 * line;
    if (!occupied(z, group)) {
      for (int b = 0; b < int(blocks_.size()); ++b)
        for (int c = 0; c < 3; ++c)
          std::fill_n(plane(lines, b, c, z) + std::size_t(group) * W * W, W * W, C(0, 0));
      return;
    }
    for (int c = 0; c < 3; ++c) std::fill_n(work + c * line, std::size_t(lattice_.nx) * W, C(0, 0));
    for_runs(z, group, [&](int l, int ix, index_t i, int count) {
      for (int c = 0; c < 3; ++c) {
        const C* from = x + c * lattice_.dipoles + i;
        C* to = work + c * line + std::size_t(ix) * W + l;
        for (int k = 0; k < count; ++k)
          to[k * W] = root[3 * lattice_.material(i + k) + c] * (adjoint ? conj(from[k]) : from[k]);
      }
    });
    for (int c = 0; c < 3; ++c) {
      for (int p = 0; p < 2; ++p)
        forward(along_x_, 0, c, work + c * line, W, lattice_.nx, p, spectrum + p * line);
      for (int b = 0; b < int(blocks_.size()); ++b) {
        C* to = plane(lines, b, c, z) + std::size_t(group) * W * W;
        const C* from = spectrum + blocks_[b].parity * line;
        for (int l = 0; l < W; ++l) {
          const int j = blocks_[b].index[l];
          for (int r = 0; r < W; ++r) to[r * W + l] = j < 0 ? C(0, 0) : from[j * W + r];
        }
      }
    }
  }

  /// The way back for W rows, with y = x - S(...) and its sums.
  void gather(C* lines, int z, int group, const C* root, const C* x, C* y, bool adjoint, C* work,
              backend::Sums<A, 5>& sums) {
    if (!occupied(z, group)) return;
    const std::size_t line = row_size();
    C* spectrum = work + 3 * line;
    for (int c = 0; c < 3; ++c) {
      for (int b = 0; b < int(blocks_.size()); ++b) {
        const C* from = plane(lines, b, c, z) + std::size_t(group) * W * W;
        C* to = spectrum + blocks_[b].parity * line;
        for (int l = 0; l < W; ++l) {
          const int j = blocks_[b].index[l];
          if (j < 0) continue;
          for (int r = 0; r < W; ++r) to[j * W + r] = from[r * W + l];
        }
      }
      for (int p = 0; p < 2; ++p)
        backward(along_x_, 0, c, spectrum + p * line, p, lattice_.nx, work + c * line, W);
    }
    for_runs(z, group, [&](int l, int ix, index_t i, int count) {
      for (int c = 0; c < 3; ++c) {
        const C* sites = work + c * line + std::size_t(ix) * W + l;
        const index_t first = c * lattice_.dipoles + i;
        for (int k = 0; k < count; ++k) {
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

  /// One block of W planes of kx: along y, then column by column along z with the tensor, and back. Both
  /// parities of ky are transformed before either result is stored, since they come from the same lines.
  void transform_block(C* lines, int b, C* work) {
    const int ny = lattice_.ny, nz = lattice_.nz, h = along_y_.half();
    const std::size_t parity_size = std::size_t(3) * nz * z_stride_;
    C* columns = work + 2 * parity_size;
    for (int p = 0; p < 2; ++p) {
      C* planes = work + p * parity_size;
      for (int c = 0; c < 3; ++c)
        for (int z = 0; z < nz; ++z)
          forward(along_y_, 1, c, plane(lines, b, c, z), W, ny, p,
                  planes + std::size_t(c * nz + z) * z_stride_);
      // ky and its mirror image one after the other: they share a row of the tensor.
      for (int ky = p; ky <= h; ky += 2) {
        column(blocks_[b], ky, planes + std::size_t(along_y_.slot(ky)) * W, columns);
        if (ky > 0 && ky < h && has_images(along_y_))
          column(blocks_[b], 2 * h - ky, planes + std::size_t(along_y_.slot(2 * h - ky)) * W, columns);
      }
    }
    for (int p = 0; p < 2; ++p)
      for (int c = 0; c < 3; ++c)
        for (int z = 0; z < nz; ++z)
          backward(along_y_, 1, c, work + p * parity_size + std::size_t(c * nz + z) * z_stride_, p, ny,
                   plane(lines, b, c, z), W);
  }

  /// The column of one ky, W frequencies kx wide: along z, times the tensor, back along z, in place.
  void column(const Block& block, int ky, C* column, C* work) {
    const int nz = lattice_.nz;
    const std::size_t line = std::size_t(most_slots(along_z_)) * W, component = std::size_t(nz) * z_stride_;
    for (int q = 0; q < 2; ++q) {
      C* v = work + 3 * q * line;
      for (int c = 0; c < 3; ++c)
        forward(along_z_, 2, c, column + c * component, z_stride_, nz, q, v + c * line);
      multiply(block, ky, q, v, line);
    }
    for (int q = 0; q < 2; ++q)
      for (int c = 0; c < 3; ++c)
        backward(along_z_, 2, c, work + (3 * q + c) * line, q, nz, column + c * component, z_stride_);
  }

  /// Frequencies kz of parity q of three lines times the tensor. Off-diagonal components change sign under a
  /// mirror; the signs go to the y and z components before and after, so that the tensor is used as it is
  /// stored.
  void multiply(const Block& block, int ky, int q, C* v, std::size_t line) const {
    const bool my = ky >= grid_.hy, mx = block.mirrored;
    const C* row = tensor_row(block.tensor, my ? grid_.gy - ky : ky);
    const T sy = mx != my ? T(-1) : T(1);
    for (int j = 0, count = slots(along_z_, q); j < count; ++j) {
      const int kz = along_z_.frequency(q, j);
      const bool mz = kz >= grid_.hz;
      const T sz = mx != mz ? T(-1) : T(1);
      for (int l = 0; l < W; l += Lanes::size) {
        const C* d = row + std::size_t(mz ? grid_.gz - kz : kz) * 6 * W + l;
        C* e = v + std::size_t(j) * W + l;
        const Operand<T> a(Lanes::load(e)), b(sy * Lanes::load(e + line)), c(sz * Lanes::load(e + 2 * line));
        const Factor<T> xx(Lanes::load(d)), xy(Lanes::load(d + W)), xz(Lanes::load(d + 2 * W)),
            yy(Lanes::load(d + 3 * W)), yz(Lanes::load(d + 4 * W)), zz(Lanes::load(d + 5 * W));
        (xx * a + xy * b + xz * c).store(e);
        (sy * (xy * a + yy * b + yz * c)).store(e + line);
        (sz * (xz * a + yz * b + zz * c)).store(e + 2 * line);
      }
    }
  }

  Dev& dev_;
  LatticeView lattice_;
  GridView grid_;
  const MirrorFraction* fraction_;
  Axis along_x_, along_y_, along_z_;
  std::vector<Block> blocks_;
  int threads_ = 1, tensor_blocks_ = 0, groups_ = 0, rows_ = 0, z_stride_ = 0;
  backend::HostArray<C> tensor_;
  std::shared_ptr<Work> work_;
  std::vector<backend::Sums<A, 5>> sums_;
};

}  // namespace umov::dda::cpu
