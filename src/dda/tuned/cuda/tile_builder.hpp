// The transformed interaction tensor in tiles, built on the device with cuFFT.
#pragma once

#include "backend/cuda/cuda.hpp"
#include "dda/scheme/interaction.hpp"
#include "dda/tuned/cuda/layout.hpp"

namespace umov::dda::tuned {

/// TensorBuilder for TileLayout: the components of the layout, from `first` on.
template <class T>
class TileBuilder {
  using C = Complex<T>;
  static constexpr index_t most_buffered = index_t(1) << 23;

 public:
  TileBuilder(backend::Cuda& dev, const Problem& problem, const TileLayout& layout)
      : dev_(dev), problem_(problem), layout_(layout), interaction_(dev, problem) {
    index_t size = 1;
    for (int axis = 0; axis < 3; ++axis) size = std::max(size, batch_along(axis) * lines(axis, 0).length());
    buffer_ = dev.allocate<C>(size);
  }

  void build(C* tensor, int first) {
    fill(tensor, first);
    for (int axis = 0; axis < 3; ++axis) {
      const index_t total = lines(axis, 0).count(), batch = batch_along(axis), rest = total % batch;
      const int length = lines(axis, 0).length();
      if (length == 1) continue;
      Fft most(dev_, length, batch, batch, 1);
      std::optional<Fft> last;
      if (rest) last.emplace(dev_, length, rest, rest, 1);
      for (int c = 0; c < layout_.components; ++c)
        for (index_t from = 0; from < total; from += batch) {
          const index_t count = std::min(batch, total - from);
          transform(count == batch ? most : *last, tensor, lines(axis, c), odd_along(first + c, axis), from,
                    count);
        }
      dev_.synchronize();
    }
  }

 private:
  using Fft = backend::Cuda::Lines<T>;

  TileLines lines(int axis, int c) const { return {layout_, axis, c}; }
  index_t batch_along(int axis) const {
    const TileLines l = lines(axis, 0);
    return std::clamp<index_t>(most_buffered / l.length(), 1, l.count());
  }

  void fill(C* tensor, int first) {
    const GridView& g = layout_.grid;
    const T scale = T(1.0L / ((long double)g.gx * g.gy * g.gz));
    const Int3& box = problem_.particle->box;
    // the padding of the last tile is multiplied with padding: any finite value will do
    dev_.fill_zero(tensor, layout_.size());
    interaction_.visit([&](auto term) {
      dev_.for_each(index_t(g.hx) * g.hy * g.hz, FillTiles<T, decltype(term)>{term, box[0], box[1], box[2],
                                                                              layout_, first, scale, tensor});
    });
  }

  void transform(Fft& fft, C* tensor, const TileLines& l, bool odd, index_t from, index_t count) {
    dev_.for_each(count * l.length(), ExtendTiles<T>{l, from, count, odd, tensor, buffer_.data()});
    fft.run(buffer_.data(), -1);
    dev_.for_each(count * l.stored(), KeepTiles<T>{l, from, count, buffer_.data(), tensor});
  }

  backend::Cuda& dev_;
  const Problem& problem_;
  TileLayout layout_;
  InteractionOnDevice<backend::Cuda, T> interaction_;
  backend::CudaArray<C> buffer_;
};

}  // namespace umov::dda::tuned
