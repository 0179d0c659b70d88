// The transformed interaction tensor of one mirror octant, built on any device from the named kernels.
#pragma once

#include <algorithm>
#include <optional>

#include "dda/engine.hpp"
#include "dda/kernels/tensor.hpp"
#include "dda/scheme/interaction.hpp"

namespace umov::dda {

/// Frequencies kept along an axis of g points.
inline int stored(int g) { return g / 2 + 1; }
inline GridView grid_view(const Int3& g) {
  return {g[0], g[1], g[2], stored(g[0]), stored(g[1]), stored(g[2])};
}

/// Fills the octant [hx][6][hz][hy] with interaction terms, extends every line by parity and transforms it in
/// place (Goodman, Draine and Flatau 1991; six components and one octant: Yurkin and Hoekstra 2011, sec. 3).
/// The factor 1/(gx gy gz) of the inverse transform is included.
template <class Dev, class T>
class TensorBuilder {
  using C = Complex<T>;
  using Buffer = typename Dev::template Array<C>;

 public:
  /// `buffer` is work space for whole lines, of any size not below the longest.
  TensorBuilder(Dev& dev, const Problem& problem, const GridView& grid, Buffer& buffer)
      : dev_(dev), problem_(problem), grid_(grid), box_(problem.particle->box), buffer_(buffer) {}

  /// All six components.
  void all(C* tensor) {
    fill(tensor, 0, 6);
    transform(tensor);
  }
  /// The same for six components that are there already.
  void transform(C* tensor) { transform(tensor, grid_.hx, grid_.hy); }
  /// The same where only frequencies below kx and ky will be read: others are left half transformed.
  void transform(C* tensor, int kx, int ky) { transform(tensor, 6, 0, kx, ky); }
  /// Component c alone, as [hx][hz][hy].
  void one(C* tensor, int c) {
    fill(tensor, c, 1);
    transform(tensor, 1, c, grid_.hx, grid_.hy);
  }

 private:
  void fill(C* tensor, int first, int count) {
    const T scale = T(1.0L / ((long double)grid_.gx * grid_.gy * grid_.gz));
    InteractionOnDevice<Dev, T> interaction(dev_, problem_);
    interaction.visit([&](auto term) {
      dev_.for_each(
          index_t(grid_.hx) * grid_.hy * grid_.hz,
          FillOctant<T, decltype(term)>{term, box_[0], box_[1], box_[2], grid_, first, count, scale, tensor});
    });
    dev_.synchronize();
  }

  /// Transforms the `slots` components from `first` on along the three axes, in place.
  void transform(C* tensor, int slots, int first, int kx, int ky) {
    const index_t hy = grid_.hy, hz = grid_.hz, plane = hy * hz, block = slots * plane;
    along(tensor, slots, first, 0, {plane, 1, 0, block, grid_.hx, grid_.gx}, plane);
    along(tensor, slots, first, 1, {hz, hy, block, 1, grid_.hy, grid_.gy}, hz * kx);
    along(tensor, slots, first, 2, {ky, 1, block, hy, grid_.hz, grid_.gz}, index_t(ky) * kx);
  }

  /// All components with the same two plans: a GPU takes longer to make one than to run it.
  void along(C* tensor, int slots, int first, int axis, const OctantLines& lines, index_t total) {
    using Fft = typename Dev::template Lines<T>;
    const index_t plane = index_t(grid_.hy) * grid_.hz;
    const index_t batch =
        std::max<index_t>(1, std::min<index_t>(total, index_t(buffer_.size()) / lines.length));
    Fft most(dev_, lines.length, batch, batch, 1);
    std::optional<Fft> rest;
    if (const index_t left = total % batch) rest.emplace(dev_, lines.length, left, left, 1);
    for (int slot = 0; slot < slots; ++slot)
      for (index_t from = 0; from < total; from += batch) {
        const index_t count = std::min(batch, total - from);
        run_batch(count == batch ? most : *rest, tensor + slot * plane, first + slot, axis, lines, from,
                  count);
      }
    dev_.synchronize();  // the plans go
  }

  template <class Fft>
  void run_batch(Fft& fft, C* base, int c, int axis, const OctantLines& lines, index_t from, index_t count) {
    C* buffer = buffer_.data();
    dev_.for_each(count, ExtendByParity<T>{lines, from, count, odd_along(c, axis), base, buffer});
    fft.run(buffer, -1);
    dev_.for_each(count, KeepOctant<T>{lines, from, count, buffer, base});
  }

  Dev& dev_;
  const Problem& problem_;
  GridView grid_;
  Int3 box_;
  Buffer& buffer_;
};

}  // namespace umov::dda
