// Blocks of frequencies kx of the lanes' product: y, z and the interaction tensor, block by block.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "backend/array.hpp"
#include "dda/scheme/tensor_builder.hpp"
#include "dda/tuned/cpu/lane_axis.hpp"

namespace umov::dda::cpu {

/// W frequencies kx of one parity are a block, [nz][3][ny, padded to W][W]: one task, whose planes stay in
/// the core's own cache. Those beyond gx/2 come in blocks in the order of their mirror images, so that a
/// block and its mirror, which follow each other, read the same rows of the tensor, [block][ky][kz][6][W];
/// blocks of both parities take turns, so that a stretch of them is one of kx. Per block and ky the 3 nz W
/// numbers of a column are transformed along z, multiplied and transformed back in the first-level cache.
template <class T, class Axis>
class LaneBlocks {
  using C = Complex<T>;
  using Lanes = Pack<T>;

 public:
  static constexpr int W = lanes<T>;

  /// Lane l is slot index[l] of the block's parity, or none (-1).
  struct Block {
    int parity, tensor;  ///< tensor: which block of tensor rows
    bool mirrored;       ///< kx beyond gx/2
    int index[W];
  };

  /// Of a box of nx x ny x nz sites; `threads`: that may transform at the same time.
  LaneBlocks(const GridView& grid, const Int3& box, const MirrorFraction* fraction, int threads)
      : grid_(grid),
        box_(box),
        along_x_(grid.gx, 0, fraction, threads),
        along_y_(grid.gy, 1, fraction, threads),
        along_z_(grid.gz, 2, fraction, threads),
        rows_((box[1] + W - 1) / W * W),
        z_stride_((along_y_.most_slots() + 1) * W) {  // one line more: no power of two between planes
    list_blocks();
  }

  const std::vector<Block>& list() const { return list_; }
  int tensor_blocks() const { return tensor_blocks_; }
  const LaneAxis<T, Axis>& along_x() const { return along_x_; }
  /// Lines along y, padded.
  int rows() const { return rows_; }
  /// Numbers of one plane z of a block.
  std::size_t plane_size() const { return std::size_t(3) * rows_ * W; }
  /// One odd number of cache lines more than the planes need: neighbouring blocks must not share cache sets.
  std::size_t size(int planes) const { return planes * plane_size() + 5 * W; }
  /// Of a thread that transforms.
  std::size_t work_size() const {
    return std::size_t(6) * box_[2] * z_stride_ + std::size_t(6) * along_z_.most_slots() * W;
  }

  /// The frequencies 0 .. gx/2 that tensor blocks [first, end) hold: the lowest and the highest.
  std::pair<int, int> frequencies(int first, int end) const {
    int low = grid_.gx, high = -1;
    for (const Block& b : list_)
      if (b.tensor >= first && b.tensor < end && !b.mirrored)
        for (const int j : b.index)
          if (j >= 0) {
            low = std::min(low, along_x_.frequency(b.parity, j));
            high = std::max(high, along_x_.frequency(b.parity, j));
          }
    return {low, high};
  }

  /// Keeps the rows of tensor blocks [first, end): take() fills them.
  void keep(int first, int end) {
    first_kept_ = first;
    tensor_ = backend::HostArray<C>(std::size_t(end - first) * grid_.hy * grid_.hz * 6 * W);
  }
  /// Components [c, c + count) of what is kept, from an octant [kx][count][hz][hy] that begins at `low`.
  void take(const C* octant, int low, int c, int count, int threads) {
    const std::size_t plane = std::size_t(grid_.hy) * grid_.hz, kept = tensor_.size() / (plane * 6 * W);
    for (const Block& b : list_) {
      if (b.mirrored || b.tensor < first_kept_ || b.tensor >= first_kept_ + int(kept)) continue;
#pragma omp parallel for num_threads(threads) schedule(static)
      for (int ky = 0; ky < grid_.hy; ++ky) {
        C* row = const_cast<C*>(tensor_row(b.tensor, ky));
        for (int kz = 0; kz < grid_.hz; ++kz)
          for (int d = 0; d < count; ++d)
            for (int l = 0; l < W; ++l) {
              const int kx = along_x_.frequency(b.parity, std::max(b.index[l], 0)) - low;
              row[(kz * 6 + c + d) * W + l] =
                  b.index[l] < 0
                      ? C(0, 0)
                      : octant[(std::size_t(kx) * count + d) * plane + std::size_t(kz) * grid_.hy + ky];
            }
      }
    }
  }
  std::size_t tensor_bytes() const { return tensor_.bytes(); }

  /// Block b of the list: along y, then column by column along z with the tensor, and back. Both
  /// parities of ky are transformed before either result is stored, since they come from the same lines.
  void transform(C* block, int b, C* work) const {
    const int ny = box_[1], nz = box_[2], h = along_y_.half();
    const auto line = [&](int c, int z) { return block + z * plane_size() + std::size_t(c) * rows_ * W; };
    const std::size_t parity_size = std::size_t(3) * nz * z_stride_;
    C* columns = work + 2 * parity_size;
    for (int p = 0; p < 2; ++p) {
      C* planes = work + p * parity_size;
      for (int c = 0; c < 3; ++c)
        for (int z = 0; z < nz; ++z)
          along_y_.forward(c, line(c, z), W, ny, p, planes + std::size_t(c * nz + z) * z_stride_);
      // ky and its mirror image one after the other: they share a row of the tensor.
      for (int ky = p; ky <= h; ky += 2) {
        column(list_[b], ky, planes + std::size_t(along_y_.slot(ky)) * W, columns);
        if (ky > 0 && ky < h && along_y_.has_images())
          column(list_[b], 2 * h - ky, planes + std::size_t(along_y_.slot(2 * h - ky)) * W, columns);
      }
    }
    for (int p = 0; p < 2; ++p)
      for (int c = 0; c < 3; ++c)
        for (int z = 0; z < nz; ++z)
          along_y_.backward(c, work + p * parity_size + std::size_t(c * nz + z) * z_stride_, p, ny,
                            line(c, z), W);
  }

 private:
  void list_blocks() {
    const int h = along_x_.half();  // highest stored frequency gx/2
    for (int first = 0; 2 * first <= h; first += W)
      for (int p = 0; p < 2 && 2 * first + p <= h; ++p, ++tensor_blocks_) {
        Block direct{p, tensor_blocks_, false, {}}, mirror{p, tensor_blocks_, true, {}};
        bool any = false;
        for (int l = 0; l < W; ++l) {
          const int k = 2 * (first + l) + p;
          direct.index[l] = k <= h ? along_x_.slot(k) : -1;
          mirror.index[l] = k > 0 && k < h && along_x_.has_images() ? along_x_.slot(grid_.gx - k) : -1;
          any |= mirror.index[l] >= 0;
        }
        list_.push_back(direct);
        if (any) list_.push_back(mirror);
      }
  }

  /// The column of one ky, W frequencies kx wide: along z, times the tensor, back along z, in place.
  void column(const Block& block, int ky, C* column, C* work) const {
    const int nz = box_[2];
    const std::size_t line = std::size_t(along_z_.most_slots()) * W, component = std::size_t(nz) * z_stride_;
    for (int q = 0; q < 2; ++q) {
      C* v = work + 3 * q * line;
      for (int c = 0; c < 3; ++c) along_z_.forward(c, column + c * component, z_stride_, nz, q, v + c * line);
      multiply(block, ky, q, v, line);
    }
    for (int q = 0; q < 2; ++q)
      for (int c = 0; c < 3; ++c)
        along_z_.backward(c, work + (3 * q + c) * line, q, nz, column + c * component, z_stride_);
  }

  /// Frequencies kz of parity q of three lines times the tensor. Off-diagonal components change sign under a
  /// mirror; the signs go to the y and z components before and after, so that the tensor is used as it is
  /// stored.
  void multiply(const Block& block, int ky, int q, C* v, std::size_t line) const {
    const bool my = ky >= grid_.hy, mx = block.mirrored;
    const C* row = tensor_row(block.tensor, my ? grid_.gy - ky : ky);
    const T sy = mx != my ? T(-1) : T(1);
    for (int j = 0, count = along_z_.slots(q); j < count; ++j) {
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

  /// Row of the tensor for one block of kx: [kz][6][W], kz up to gz/2.
  const C* tensor_row(int block, int ky) const {
    return tensor_.data() + (std::size_t(block - first_kept_) * grid_.hy + ky) * grid_.hz * 6 * W;
  }

  GridView grid_;
  Int3 box_;
  LaneAxis<T, Axis> along_x_, along_y_, along_z_;
  int rows_, z_stride_, tensor_blocks_ = 0, first_kept_ = 0;
  std::vector<Block> list_;
  backend::HostArray<C> tensor_;
};

}  // namespace umov::dda::cpu
