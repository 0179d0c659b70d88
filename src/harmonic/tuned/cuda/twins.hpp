// The GPU's own parts, which the engine's templates take in place of their simple ones.
#pragma once

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "backend/cuda/cuda.hpp"
#include "harmonic/hand_out.hpp"
#include "harmonic/lateral_transform.hpp"
#include "harmonic/tile_solver.hpp"
#include "harmonic/tuned/cuda/tile_kernels.hpp"

namespace umov::harmonic {

/// Through two page-locked pieces in turn: while one is filled, several threads empty the other. The driver's
/// own copies to ordinary memory use one thread.
inline void hand_out(backend::Cuda& dev, Complex<double>* host, const Complex<double>* device, index_t n) {
  constexpr index_t piece = 1 << 20;  // 16 MB: page-locking takes as long as moving
  if (n < piece) return dev.download(host, device, n);
  backend::PinnedArray<Complex<double>> pieces(2 * piece);
  const auto fetch = [&](index_t from) {
    UMOV_CUDA_CHECK(cudaMemcpyAsync(pieces.data() + from / piece % 2 * piece, device + from,
                                    std::size_t(std::min(piece, n - from)) * sizeof(Complex<double>),
                                    cudaMemcpyDeviceToHost, dev.stream()));
  };
  const int threads = int(std::clamp(std::thread::hardware_concurrency(), 1u, 8u));
  dev.select();
  fetch(0);
  for (index_t from = 0; from < n; from += piece) {
    dev.synchronize();
    if (from + piece < n) fetch(from + piece);
    const Complex<double>* source = pieces.data() + from / piece % 2 * piece;
    const index_t here = std::min(piece, n - from);
    std::vector<std::thread> copies;
    for (int t = 0; t < threads; ++t)
      copies.emplace_back([=] {
        const index_t begin = here * t / threads, end = here * (t + 1) / threads;
        std::memcpy(host + from + begin, source + begin, std::size_t(end - begin) * sizeof *host);
      });
    for (auto& t : copies) t.join();
  }
}

/// All planes in one plan of cuFFT.
template <class T>
class LateralTransform<backend::Cuda, T> {
 public:
  LateralTransform(backend::Cuda& dev, int nx, int ny, index_t planes) {
    if (nx == 1 && ny == 1) return;
    dev.select();
    UMOV_CUDA_CHECK(cufftCreate(&plan_));
    // an axis of one cell is none
    long long sizes[2] = {ny, nx};
    const int rank = nx > 1 && ny > 1 ? 2 : 1;
    long long* n = rank == 2 ? sizes : ny > 1 ? sizes : sizes + 1;
    const long long cells = (long long)nx * ny;
    std::size_t work = 0;
    UMOV_CUDA_CHECK(cufftMakePlanMany64(plan_, rank, n, n, 1, cells, n, 1, cells,
                                        sizeof(T) == 8 ? CUFFT_Z2Z : CUFFT_C2C, planes, &work));
    UMOV_CUDA_CHECK(cufftSetStream(plan_, dev.stream()));
  }
  ~LateralTransform() {
    if (plan_) cufftDestroy(plan_);
  }
  LateralTransform(const LateralTransform&) = delete;
  LateralTransform& operator=(const LateralTransform&) = delete;

  void run(Complex<T>* f, int sign) {
    if (!plan_) return;
    const int direction = sign < 0 ? CUFFT_FORWARD : CUFFT_INVERSE;
    if constexpr (sizeof(T) == 8) {
      auto* p = reinterpret_cast<cufftDoubleComplex*>(f);
      UMOV_CUDA_CHECK(cufftExecZ2Z(plan_, p, p, direction));
    } else {
      auto* p = reinterpret_cast<cufftComplex*>(f);
      UMOV_CUDA_CHECK(cufftExecC2C(plan_, p, p, direction));
    }
  }

 private:
  cufftHandle plan_ = 0;
};

/// A block of threads per tile.
template <class T>
class TileSolver<backend::Cuda, T> {
  using C = Complex<T>;

 public:
  TileSolver(backend::Cuda& dev, const SlabView<T>& s, const TileShape& shape, const C* keps)
      : dev_(dev), view_(cut_into_tiles(s, shape)) {
    inverse_ = dev.allocate<C>(numbers_of(view_));
    work_ = dev.allocate<C>(std::size_t(view_.tiles()) * view_.levels() * view_.band());
    view_.keps = keps;
    view_.inverse = inverse_.data();
    view_.work = work_.data();
    factor();
  }

  void factor() {
    auto order = dev_.allocate<int>(std::size_t(view_.tiles()) * view_.band());
    dev_.select();
    cuda::factor_tiles(view_, order.data(), dev_.limits(), dev_.stream());
    dev_.synchronize();  // until `order` may go
  }

  void solve(const C* u, C* phi) {
    dev_.select();
    cuda::solve_tiles(view_, u, phi, dev_.stream());
  }

 private:
  backend::Cuda& dev_;
  TilesView<T> view_;
  backend::CudaArray<C> inverse_, work_;
};

}  // namespace umov::harmonic
