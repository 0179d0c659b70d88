// The product on a particle's mirror fraction, as every backend can run it: the referee of the tuned one.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "dda/kernels/mirror_product.hpp"
#include "dda/mirror/fraction.hpp"
#include "dda/scheme/convolution.hpp"

namespace umov::dda {

/// y = x - S w H w S x for the dipoles of a mirror fraction, H the interaction with all images of a dipole in
/// a sector (mirror/fraction.hpp). Convolution's sliced transforms of what the fraction unfolds to: along an
/// axis with a mirror half the lines and half the frequencies, the others being those of the images. Of n^3
/// sites with three planes: n^2/4 + n^2/2 + n^2 lines of 2n points instead of n^2 + 2 n^2 + 4 n^2, an eighth
/// of the frequencies. Work memory: 3 gx ny nz + 3 width (gy nz + gz hy), ny and nz of the fraction; tensor:
/// 6 hx hy hz, that of the whole.
template <class Dev, class T>
class MirrorConvolution {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;

 public:
  MirrorConvolution(Dev& dev, const Problem& problem, const LatticeView& lattice)
      : MirrorConvolution(dev, problem, lattice, std::make_shared<Work>()) {
    const index_t rows = index_t(lattice.ny) * lattice.nz, slab = 3 * width_;
    const auto& g = grid_;
    work_->lines = dev.template allocate<C>(3 * rows * g.gx);
    work_->slices = dev.template allocate<C>(slab * g.gy * lattice.nz);
    work_->columns = dev.template allocate<C>(std::max<index_t>(
        slab * g.gz * kept_[1], std::max({g.gx, g.gy, g.gz})));  // the tensor's lines pass through here
    work_->along_x.emplace(dev, g.gx, 1, 3 * rows, g.gx);
    work_->along_y.emplace(dev, g.gy, 1, slab * lattice.nz, g.gy);
    work_->along_z.emplace(dev, g.gz, slab * kept_[1], slab * kept_[1], 1);
    build(problem);
  }
  /// Another interaction on the lattice and the grid of `twin`, in its work memory: one product at a time.
  MirrorConvolution(const MirrorConvolution& twin, const Problem& problem)
      : MirrorConvolution(twin.dev_, problem, twin.lattice_, twin.work_) {
    build(problem);
  }

  ProductSums<A> apply(const C* root, const C* x, C* y, bool adjoint) {
    const MirrorGrid<T> mirror = mirror_now();
    const index_t rows = index_t(lattice_.ny) * lattice_.nz;
    C* const lines = work_->lines.data();
    dev_.for_each(3 * rows * grid_.gx, ScatterUnfolded<T>{lattice_, mirror, x, root, lines, adjoint});
    work_->along_x->run(lines, -1);
    for (int k0 = 0; k0 < kept_[0]; k0 += width_) slices(mirror, k0);
    work_->along_x->run(lines, +1);
    const auto s = dev_.template map_reduce<5, A>(
        lattice_.sites(),
        GatherFromLines<T>{lattice_, grid_.gx, x, root, lines + mirror.axis[0].first(), y, adjoint});
    return krylov::product_sums(s);
  }

  std::vector<MemoryUse> memory() const {
    return {{"interaction tensor", tensor_.bytes()},
            {"lines of the transform", work_->lines.bytes()},
            {"slices of the transform", work_->slices.bytes() + work_->columns.bytes()}};
  }
  static std::string transforms() { return transforms_of<Dev>(); }

 private:
  struct Work {
    typename Dev::template Array<C> lines, slices, columns;
    std::optional<typename Dev::template Lines<T>> along_x, along_y, along_z;
  };

  MirrorConvolution(Dev& dev, const Problem& problem, const LatticeView& lattice, std::shared_ptr<Work> work)
      : dev_(dev),
        lattice_(lattice),
        fraction_(*problem.fraction),
        grid_(grid_view(problem.fft_grid)),
        work_(std::move(work)) {
    const int g[3] = {grid_.gx, grid_.gy, grid_.gz};
    for (int a = 0; a < 3; ++a) kept_[a] = fraction_.planes[a] ? stored(g[a]) : g[a];
    width_ = std::min(8, kept_[0]);
    std::vector<C> turns;
    for (int a = 0; a < 3; ++a)
      for (int k = 0; k < g[a]; ++k) {
        const long step = long(k) * (fraction_.whole[a] - 1) % g[a];
        const long double angle = 2 * 3.14159265358979323846264338327950288L * step / g[a];
        turns.push_back(C(T(std::cos(angle)), T(std::sin(angle))));
      }
    turns_ = dev.template allocate<C>(turns.size());
    dev.upload(turns_.data(), turns.data(), turns.size());
    dev.synchronize();  // turns go
  }

  void build(const Problem& problem) {
    tensor_ = dev_.template allocate<C>(index_t(6) * grid_.hx * grid_.hy * grid_.hz);
    TensorBuilder<Dev, T>(dev_, problem, grid_, work_->columns).all(tensor_.data());
  }

  /// With the parity of the sector that the fraction is at.
  MirrorGrid<T> mirror_now() const {
    const C* const t = turns_.data();
    return {{fraction_.axis(0), fraction_.axis(1), fraction_.axis(2)},
            grid_,
            {kept_[0], kept_[1], kept_[2]},
            {t, t + grid_.gx, t + grid_.gx + grid_.gy}};
  }

  void slices(const MirrorGrid<T>& mirror, int k0) {
    C *const slices = work_->slices.data(), *const columns = work_->columns.data();
    const int ny = lattice_.ny, nz = lattice_.nz;
    const index_t slab = 3 * width_;
    dev_.for_each(slab * grid_.gy * nz,
                  TakeUnfolded<T>{ny, nz, k0, width_, mirror, work_->lines.data(), slices});
    work_->along_y->run(slices, -1);
    dev_.for_each(slab * grid_.gz * kept_[1], TakeColumns<T>{width_, mirror, slices, columns});
    work_->along_z->run(columns, -1);
    dev_.for_each(index_t(width_) * kept_[1] * kept_[2],
                  MultiplyKept<T>{k0, width_, mirror, tensor_.data(), columns});
    work_->along_z->run(columns, +1);
    dev_.for_each(slab * grid_.gy * nz, PutColumns<T>{width_, mirror, columns, slices});
    work_->along_y->run(slices, +1);
    dev_.for_each(slab * ny * nz, PutUnfolded<T>{ny, nz, k0, width_, mirror, slices, work_->lines.data()});
  }

  Dev& dev_;
  LatticeView lattice_;
  const MirrorFraction& fraction_;
  GridView grid_;
  int kept_[3];
  int width_ = 1;
  std::shared_ptr<Work> work_;
  typename Dev::template Array<C> tensor_, turns_;
};

/// The generic product of a problem, whole or of a fraction.
template <class Dev, class T>
class SimpleProduct {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;

 public:
  SimpleProduct(Dev& dev, const Problem& problem, const LatticeView& lattice) {
    if (problem.fraction)
      mirrored_.emplace(dev, problem, lattice);
    else
      whole_.emplace(dev, problem, lattice);
  }
  /// Another interaction in the work memory of `twin`.
  SimpleProduct(const SimpleProduct& twin, const Problem& problem) {
    if (twin.mirrored_)
      mirrored_.emplace(*twin.mirrored_, problem);
    else
      whole_.emplace(*twin.whole_, problem);
  }

  ProductSums<A> apply(const C* root, const C* x, C* y, bool adjoint) {
    return mirrored_ ? mirrored_->apply(root, x, y, adjoint) : whole_->apply(root, x, y, adjoint);
  }
  std::vector<MemoryUse> memory() const { return mirrored_ ? mirrored_->memory() : whole_->memory(); }
  static constexpr const char* variant = "simple";
  static std::string transforms() { return transforms_of<Dev>(); }

 private:
  std::optional<Convolution<Dev, T>> whole_;
  std::optional<MirrorConvolution<Dev, T>> mirrored_;
};

}  // namespace umov::dda
