// The matrix-vector product by FFT, as every backend can run it: the referee of the tuned versions.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "backend/array.hpp"
#include "backend/reduce.hpp"
#include "core/error.hpp"
#include "dda/engine.hpp"
#include "dda/kernels/product.hpp"
#include "dda/scheme/lattice.hpp"
#include "dda/scheme/tensor_builder.hpp"
#include "linalg/krylov/krylov.hpp"

namespace umov::dda {

using krylov::ProductSums;

/// Products of several vectors of n numbers, one after the other: one pass over the tensor where the product
/// knows how, else one by one, which is their referee.
template <class Conv, class C>
void apply_columns(Conv& product, index_t n, const C* root, const C* x, C* y, int columns) {
  if constexpr (requires { product.apply_block(root, x, y, columns); })
    product.apply_block(root, x, y, columns);
  else
    for (int j = 0; j < columns; ++j) product.apply(root, x + j * n, y + j * n, false);
}

/// Whose Fourier transforms the Fft of a device runs.
template <class Dev>
std::string transforms_of() {
  const std::string backend = Dev::name;
  return backend == "cuda" ? "cuFFT" : backend == "cpu" ? "FFTW3" : "umov";
}

/// y = x - S G S x for the interaction tensor G of a lattice (Goodman, Draine and Flatau 1991), by the
/// sliced transform: x over the lines of the box only, then y and z for a few planes of kx at a time
/// (OpenDDA, Mc Donald et al. 2009). Lines known to be zero are never transformed and results outside the
/// box never formed. Work memory: 3 gx ny nz + 3 width gy gz; tensor: 6 hx hy hz.
template <class Dev, class T>
class Convolution {
  using C = Complex<T>;
  using A = backend::Accumulator<T>;

 public:
  Convolution(Dev& dev, const Problem& problem, const LatticeView& lattice)
      : dev_(dev), lattice_(lattice), grid_(grid_view(problem.fft_grid)), work_(std::make_shared<Work>()) {
    while (width_ < 8 && grid_.gx % (2 * width_) == 0) width_ *= 2;
    on_host_ = problem.tensor_on_host;
    const index_t rows = index_t(lattice.ny) * lattice.nz;
    work_->lines = dev.template allocate<C>(3 * rows * grid_.gx);
    // the tensor's lines along x pass through here too, one at least
    work_->slices = dev.template allocate<C>(
        std::max<std::size_t>(std::size_t(3) * width_ * grid_.gy * grid_.gz, grid_.gx));
    build_tensor(problem);
    work_->along_x.emplace(dev, grid_.gx, 1, 3 * rows, grid_.gx);
    work_->along_y.emplace(dev, grid_.gy, 1, index_t(3) * width_ * lattice.nz, grid_.gy);
    work_->along_z.emplace(dev, grid_.gz, index_t(3) * width_ * grid_.gy, index_t(3) * width_ * grid_.gy, 1);
  }
  /// Another interaction on the lattice and the grid of `twin`, in its work memory: one product at a time.
  Convolution(const Convolution& twin, const Problem& problem)
      : dev_(twin.dev_),
        lattice_(twin.lattice_),
        grid_(twin.grid_),
        width_(twin.width_),
        on_host_(twin.on_host_),
        work_(twin.work_) {
    build_tensor(problem);
  }

  /// `adjoint` gives (I - S G S)^H x = conj((I - S G S) conj(x)): the matrix is complex symmetric.
  ProductSums<A> apply(const C* root, const C* x, C* y, bool adjoint) {
    const index_t rows = index_t(lattice_.ny) * lattice_.nz;
    dev_.for_each(3 * rows * grid_.gx, ScatterToLines<T>{lattice_, grid_.gx, x, root, lines(), adjoint});
    work_->along_x->run(lines(), -1);
    for (int k0 = 0; k0 < grid_.gx; k0 += width_) slices(k0);
    work_->along_x->run(lines(), +1);
    const auto s = dev_.template map_reduce<5, A>(
        lattice_.sites(), GatherFromLines<T>{lattice_, grid_.gx, x, root, lines(), y, adjoint});
    return krylov::product_sums(s);
  }

  std::vector<MemoryUse> memory() const {
    return {{"interaction tensor", tensor_.bytes() + host_tensor_.bytes()},
            {"lines of the transform", work_->lines.bytes()},
            {"slices of the transform", work_->slices.bytes()}};
  }
  static constexpr const char* variant = "simple";
  static std::string transforms() { return transforms_of<Dev>(); }

 private:
  /// What a product needs besides its tensor.
  struct Work {
    typename Dev::template Array<C> lines, slices;
    std::optional<typename Dev::template Lines<T>> along_x, along_y, along_z;
  };
  C* lines() { return work_->lines.data(); }

  void slices(int k0) {
    C* const slices = work_->slices.data();
    const int ny = lattice_.ny, nz = lattice_.nz;
    const index_t plane = index_t(width_) * grid_.gy;
    dev_.for_each(3 * plane * grid_.gz, TakeSlices<T>{ny, nz, k0, width_, grid_, lines(), slices});
    work_->along_y->run(slices, -1);
    work_->along_z->run(slices, -1);
    if (on_host_) {
      for (int w = 0; w < width_; ++w) multiply_streamed(k0, w);
    } else {
      dev_.for_each(plane * grid_.gz, MultiplyByTensor<T>{k0, width_, grid_, tensor_.data(), 0, slices});
    }
    work_->along_z->run(slices, +1);
    work_->along_y->run(slices, +1);
    dev_.for_each(index_t(3) * width_ * ny * nz, PutSlices<T>{ny, nz, k0, width_, grid_, slices, lines()});
  }

  /// One plane of kx with the tensor brought from host memory.
  void multiply_streamed(int k0, int w) {
    const int kx = k0 + w, octant = kx >= grid_.hx ? grid_.gx - kx : kx;
    const index_t plane = index_t(6) * grid_.hz * grid_.hy;
    dev_.upload(tensor_.data(), host_tensor_.data() + octant * plane, plane);
    dev_.for_each(index_t(grid_.gy) * grid_.gz,
                  MultiplyOnePlane<T>{{k0, width_, grid_, tensor_.data(), octant, work_->slices.data()}, w});
  }

  void build_tensor(const Problem& problem) {
    const index_t octant = index_t(grid_.hx) * grid_.hy * grid_.hz;
    if (!on_host_) {
      tensor_ = dev_.template allocate<C>(6 * octant);
      TensorBuilder<Dev, T>(dev_, problem, grid_, work_->slices).all(tensor_.data());
      return;
    }
    host_tensor_ = backend::HostArray<C>(6 * octant);
    auto one = dev_.template allocate<C>(octant);
    const index_t plane = index_t(grid_.hz) * grid_.hy;
    TensorBuilder<Dev, T> builder(dev_, problem, grid_, work_->slices);
    for (int c = 0; c < 6; ++c) {
      builder.one(one.data(), c);
      for (int x = 0; x < grid_.hx; ++x)
        dev_.download(host_tensor_.data() + (index_t(x) * 6 + c) * plane, one.data() + x * plane, plane);
    }
    tensor_ = dev_.template allocate<C>(6 * plane);
  }

  Dev& dev_;
  LatticeView lattice_;
  GridView grid_;
  int width_ = 1;
  bool on_host_ = false;
  std::shared_ptr<Work> work_;
  typename Dev::template Array<C> tensor_;
  backend::HostArray<C> host_tensor_;
};

}  // namespace umov::dda
