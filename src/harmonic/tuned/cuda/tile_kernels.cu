// Tiles of the rough planes on a GPU: a block of threads per tile.
#include <algorithm>

#include "backend/cuda/check.hpp"
#include "core/error.hpp"
#include "harmonic/tuned/cuda/tile_kernels.hpp"

namespace umov::harmonic::cuda {

namespace {

constexpr int most_threads = 1024;

/// The row of column c from c on with the largest entry, found by the first warp.
template <class T>
__device__ inline void find_pivot(const Complex<T>* a, int n, int c, int* found) {
  if (threadIdx.x >= 32) return;
  T most = T(-1);
  int best = c;
  for (int r = c + int(threadIdx.x); r < n; r += 32) {
    const T size = norm2(a[r + c * n]);
    if (size > most) {
      most = size;
      best = r;
    }
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    const T other = __shfl_down_sync(0xffffffffu, most, offset);
    const int row = __shfl_down_sync(0xffffffffu, best, offset);
    // of equals the first, as a plain loop finds it
    if (other > most || (other == most && row < best)) {
      most = other;
      best = row;
    }
  }
  if (threadIdx.x == 0) *found = best;
}

/// See harmonic::invert; all threads of the block. `row` and `column` hold n numbers each.
template <class T>
__device__ inline void invert_together(Complex<T>* a, int n, int* order, Complex<T>* row,
                                       Complex<T>* column) {
  __shared__ int best;
  const int me = int(threadIdx.x), all = int(blockDim.x);
  for (int c = 0; c < n; ++c) {
    find_pivot(a, n, c, &best);
    __syncthreads();
    const Complex<T> pivot = Complex<T>(1, 0) / a[best + c * n];
    __syncthreads();
    for (int k = me; k < n; k += all) {  // rows c and best change places, row c is scaled
      const Complex<T> now = a[best + k * n];
      a[best + k * n] = a[c + k * n];
      row[k] = k == c ? pivot : pivot * now;
      a[c + k * n] = row[k];
    }
    if (me == 0) order[c] = best;
    __syncthreads();
    for (int r = me; r < n; r += all) column[r] = r == c ? Complex<T>(0, 0) : a[r + c * n];
    __syncthreads();
    for (int e = me; e < n * n; e += all) {
      const int r = e % n, k = e / n;
      if (r == c) continue;
      const Complex<T> change = column[r] * row[k];
      a[e] = k == c ? -change : a[e] - change;
    }
    __syncthreads();
  }
  for (int r = me; r < n; r += all)
    for (int c = n - 1; c >= 0; --c) {
      const int other = order[c];
      if (other == c) continue;
      const Complex<T> swap = a[r + c * n];
      a[r + c * n] = a[r + other * n];
      a[r + other * n] = swap;
    }
  __syncthreads();
}

/// Shared memory: links [band], row, column [band] each, then the matrix where `in_shared`.
template <class T, bool in_shared>
__global__ void run_factor(TilesView<T> v, int* orders) {
  extern __shared__ __align__(16) unsigned char bytes[];
  const int b = v.band(), levels = v.levels(), me = int(threadIdx.x), all = int(blockDim.x);
  auto* link = reinterpret_cast<Complex<T>*>(bytes);
  Complex<T>*row = link + b, *column = row + b;
  const index_t t = blockIdx.x;
  Complex<T>* out = v.inverse + t * levels * b * b;
  int* order = orders + t * b;
  for (int k = 0; k < levels; ++k, out += b * b) {
    Complex<T>* a = in_shared ? column + b : out;
    const Complex<T>* before = in_shared ? a : out - b * b;  // in shared memory the last one is still there
    bool own;
    if (k > 0)
      for (int r = me; r < b; r += all) link[r] = v.link(k - 1, v.column(t, r, own));
    __syncthreads();
    for (int e = me; e < b * b; e += all)
      a[e] = k == 0 ? Complex<T>(0, 0) : -(link[e % b] * before[e] * link[e / b]);
    __syncthreads();
    for (int r = me; r < b; r += all) v.row(t, k, r, [&](int c, Complex<T> value) { a[r + c * b] += value; });
    __syncthreads();
    invert_together(a, b, order, row, column);
    if (in_shared)
      for (int e = me; e < b * b; e += all) out[e] = a[e];
    __syncthreads();
  }
}

/// Threads: `parts` groups of `lanes` (a multiple of 32 not below the band); group p takes every parts-th
/// column. Shared memory: y [band], sums [parts][lanes].
template <class T>
__global__ void run_solve(TilesView<T> v, const Complex<T>* u, Complex<T>* phi, int lanes, int parts) {
  extern __shared__ __align__(16) unsigned char bytes[];
  const int b = v.band(), levels = v.levels(), r = int(threadIdx.x) % lanes, part = int(threadIdx.x) / lanes;
  auto* y = reinterpret_cast<Complex<T>*>(bytes);
  Complex<T>* sums = y + b;
  const index_t t = blockIdx.x, columns = v.s.columns();
  const Complex<T>* inverse = v.inverse + t * levels * b * b;
  Complex<T>* z = v.work + t * levels * b;
  bool own = false;
  const bool mine = part == 0 && r < b;
  const int at = r < b ? v.column(t, r, own) : 0;
  // what every thread adds of S^-1 y
  const auto share = [&](int k) {
    Complex<T> sum(0, 0);
    if (r < b) {
      const Complex<T>* a = inverse + k * b * b + r;
#pragma unroll 4
      for (int c = part; c < b; c += parts) sum += a[c * b] * y[c];
    }
    sums[part * lanes + r] = sum;
  };
  const auto total = [&] {
    Complex<T> sum = sums[r];
    for (int p = 1; p < parts; ++p) sum += sums[p * lanes + r];
    return sum;
  };
  Complex<T> last(0, 0);
  for (int k = 0; k < levels; ++k) {
    if (mine) {
      Complex<T> f = u[index_t(k + 1) * columns + at];
      if (k > 0) f -= v.link(k - 1, at) * last;
      y[r] = f;
    }
    __syncthreads();
    share(k);
    __syncthreads();
    if (mine) {
      last = total();
      z[k * b + r] = last;
    }
  }
  if (mine && own) phi[index_t(levels) * columns + at] = last;
  for (int k = levels - 2; k >= 0; --k) {
    if (mine) y[r] = v.link(k, at) * last;
    __syncthreads();
    share(k);
    __syncthreads();
    if (mine) {
      last = z[k * b + r] - total();
      if (own) phi[index_t(k + 1) * columns + at] = last;
    }
  }
}

}  // namespace

template <class T>
void factor_tiles(const TilesView<T>& v, int* order, const backend::cuda::Limits& limits,
                  cudaStream_t stream) {
  if (v.band() > most_threads)
    throw BadInput(
        "a tile of " + std::to_string(v.band()) +
        " columns is too wide for the cuda backend (1024 with its overlap); choose a smaller tile");
  const std::size_t b = v.band(), few = 3 * b * sizeof(Complex<T>), bytes = few + b * b * sizeof(Complex<T>);
  const int threads = b <= 16 ? 64 : b <= 48 ? 128 : 256;
  if (bytes + 1024 <= limits.shared_block) {
    UMOV_CUDA_CHECK(
        cudaFuncSetAttribute(run_factor<T, true>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
    run_factor<T, true><<<unsigned(v.tiles()), threads, bytes, stream>>>(v, order);
  } else {
    run_factor<T, false><<<unsigned(v.tiles()), threads, few, stream>>>(v, order);
  }
  UMOV_CUDA_CHECK(cudaGetLastError());
}

template <class T>
void solve_tiles(const TilesView<T>& v, const Complex<T>* u, Complex<T>* phi, cudaStream_t stream) {
  const int b = v.band(), lanes = (b + 31) / 32 * 32;
  const int parts = std::max(1, std::min({256 / lanes, b, 8}));
  const std::size_t bytes = (b + parts * lanes) * sizeof(Complex<T>);
  run_solve<T><<<unsigned(v.tiles()), unsigned(lanes * parts), bytes, stream>>>(v, u, phi, lanes, parts);
  UMOV_CUDA_CHECK(cudaGetLastError());
}

template void factor_tiles(const TilesView<float>&, int*, const backend::cuda::Limits&, cudaStream_t);
template void factor_tiles(const TilesView<double>&, int*, const backend::cuda::Limits&, cudaStream_t);
template void solve_tiles(const TilesView<float>&, const Complex<float>*, Complex<float>*, cudaStream_t);
template void solve_tiles(const TilesView<double>&, const Complex<double>*, Complex<double>*, cudaStream_t);

}  // namespace umov::harmonic::cuda
