// The matrix-vector product on processors for grids of even lengths: the tuned twin of Convolution.
#pragma once

#include <omp.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "backend/cpu/cpu.hpp"
#include "dda/scheme/lattice.hpp"
#include "dda/tuned/cpu/lane_rows.hpp"
#include "linalg/krylov/krylov.hpp"

namespace umov::dda::cpu {

/// y = x - S G S x as Convolution has it, for grids of even lengths.
///
/// Lines along x are transformed W at a time (W lanes fill a cache line) and kept as LaneBlocks of W
/// frequencies. Memory: 96 B a site each for lines and tensor in double. Operations for n^3 sites in a 2n
/// grid: 5 (2n) log2(n) a line and direction, 12 n^2 + 24 n^2 + 48 n^2 half lines, and 66 a frequency for the
/// tensor.
///
/// With FoldedTransform for its axes it is the product on a mirror fraction (MirrorConvolution).
template <class Dev, class T, class Axis = HalfTransform<T>>
class LaneConvolution {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;

 public:
  LaneConvolution(Dev& dev, const Problem& problem, const LatticeView& lattice)
      : LaneConvolution(dev, problem, lattice, std::make_shared<Work>()) {
    work_->lines = backend::HostArray<C>(lines_size());
    const std::size_t work = std::max(rows_.work_size(), blocks_.work_size());
    for (int t = 0; t < threads_; ++t) work_->of_thread.push_back(backend::HostArray<C>(work));
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
    return {{"interaction tensor", blocks_.tensor_bytes()},
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
    const int groups = rows_.groups(), tasks = lattice_.nz * groups;
    const index_t n = 3 * lattice_.dipoles;
    sums_.assign(std::size_t(columns) * tasks, {});
    const auto planes = [&](int column) {
      return [this, lines = work_->lines.data() + column * lines_size()](int b, int z) {
        return lines + b * blocks_.size(lattice_.nz) + z * blocks_.plane_size();
      };
    };
#pragma omp parallel num_threads(threads_)
    {
      C* work = work_->of_thread[omp_get_thread_num()].data();
#pragma omp for schedule(static)
      for (int t = 0; t < columns * tasks; ++t) {
        const int column = t / tasks, task = t % tasks;
        rows_.scatter(planes(column), task / groups, task % groups, root, x + column * n, adjoint, work);
      }
#pragma omp for schedule(dynamic, 1)
      for (int b = 0; b < int(blocks_.list().size()); ++b)
        for (int column = 0; column < columns; ++column) blocks_.transform(planes(column)(b, 0), b, work);
#pragma omp for schedule(static)
      for (int t = 0; t < columns * tasks; ++t) {
        const int column = t / tasks, task = t % tasks;
        rows_.gather(planes(column), task / groups, task % groups, root, x + column * n, y + column * n,
                     adjoint, work, sums_[t]);
      }
    }
  }

  LaneConvolution(Dev& dev, const Problem& problem, const LatticeView& lattice, std::shared_ptr<Work> work)
      : dev_(dev),
        lattice_(lattice),
        blocks_(grid_view(problem.fft_grid), {lattice.nx, lattice.ny, lattice.nz}, problem.fraction,
                dev.threads()),
        rows_(lattice, blocks_),
        threads_(lattice.sites() < Dev::worth_waking / 2 ? 1 : dev.threads()),
        work_(std::move(work)) {
    build_tensor(problem);
  }

  std::size_t lines_size() const { return blocks_.list().size() * blocks_.size(lattice_.nz); }

  /// Builds the octant by the named kernels and regroups it in blocks.
  void build_tensor(const Problem& problem) {
    const GridView grid = grid_view(problem.fft_grid);
    const std::size_t plane = std::size_t(grid.hy) * grid.hz;
    backend::HostArray<C> octant(6 * plane * grid.hx);
    {
      const std::size_t longest = std::max({grid.gx, grid.gy, grid.gz});
      backend::HostArray<C> buffer(longest * std::clamp<std::size_t>(plane, 1, 4096));
      TensorBuilder<Dev, T>(dev_, problem, grid, buffer).all(octant.data());
    }
    blocks_.keep(0, blocks_.tensor_blocks());
    blocks_.take(octant.data(), 0, 0, 6, dev_.threads());
  }

  Dev& dev_;
  LatticeView lattice_;
  LaneBlocks<T, Axis> blocks_;
  LaneRows<T, Axis> rows_;  // of blocks_
  int threads_;
  std::shared_ptr<Work> work_;
  std::vector<backend::Sums<A, 5>> sums_;
};

}  // namespace umov::dda::cpu
