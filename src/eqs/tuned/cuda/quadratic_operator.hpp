// The stiffness matrix of second order applied element by element on a GPU, without its matrix.
#pragma once

#include <algorithm>

#include "eqs/kernels/quadratic_stiffness.hpp"
#include "eqs/tuned/cuda/patches.hpp"
#include "linalg/sparse/rows.hpp"

namespace umov::eqs::gpu {

/// What an element contributes to its ten unknowns.
struct Stiffness {
  static constexpr bool reads = true;
  template <class T>
  __device__ void operator()(const T* g, const T* u, T* y) const {
    quadratic_stiffness(g, u, y);
  }
};
/// Integral of c grad N_i . grad N_i: 3/5 c V g_ii of a vertex, 8/5 c V (g_aa + g_bb + g_ab) of an edge.
struct StiffnessDiagonal {
  static constexpr bool reads = false;
  template <class T>
  __device__ void operator()(const T* g, const T*, T* y) const {
    const T g01 = -(g[0] + g[3] + g[4]), g02 = -(g[3] + g[1] + g[5]), g03 = -(g[4] + g[5] + g[2]);
    const T d[4] = {-(g01 + g02 + g03), g[0], g[1], g[2]}, off[6] = {g01, g[3], g02, g03, g[4], g[5]};
    constexpr int ends[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
#pragma unroll
    for (int k = 0; k < 4; ++k) y[k] = 12 * d[k];
#pragma unroll
    for (int e = 0; e < 6; ++e) y[4 + e] = 32 * (d[ends[e][0]] + d[ends[e][1]] + off[e]);
  }
};

/// Shared memory of a block: the unknowns' values, then (they are in registers) the elements' contributions.
template <class T>
struct PatchWork {
  T v[width * patch_elements];
};

/// Every element puts its ten contributions into shared memory, then every unknown takes its own in a fixed
/// order: inner(u, sum) for the patch's own; sums of shared unknowns go to `parts`.
template <class Element, class T, class Inner>
__device__ inline void apply_patch(const PatchView& v, int p, const T* __restrict__ gram,
                                   const T* __restrict__ x, T* __restrict__ parts, PatchWork<T>& work,
                                   const Inner& inner) {
  const int first = v.first[p], locals = v.first[p + 1] - first;
  const int shared = v.first_part[p + 1] - v.first_part[p], filled = v.filled[p];
  const int t = threadIdx.x;
  const index_t base = index_t(p) * width * patch_elements;
  T g[6], u[width], y[width];
  int place[width];
  if constexpr (Element::reads) {
#pragma unroll
    for (int k = 0; k < width; ++k) place[k] = v.place[base + k * patch_elements + t];
  }
#pragma unroll
  for (int k = 0; k < 6; ++k) g[k] = gram[(index_t(p) * 6 + k) * patch_elements + t];
  if constexpr (Element::reads) {
    for (int i = t; i < locals; i += patch_elements) work.v[i] = x[v.unknown[first + i]];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < width; ++k) u[k] = place[k] == fixed_place ? T(0) : work.v[place[k]];
    __syncthreads();
  }
  Element()(g, u, y);
#pragma unroll
  for (int k = 0; k < width; ++k) work.v[k * patch_elements + t] = y[k];
  __syncthreads();
  const std::uint16_t* gather = v.gather + base;
  for (int i = t; i < locals; i += patch_elements) {
    const int begin = v.start[first + i], end = i + 1 < locals ? v.start[first + i + 1] : filled;
    T sum = 0;
    for (int k = begin; k < end; ++k) sum += work.v[gather[k]];
    const int part = i - (locals - shared);
    if (part < 0)
      inner(index_t(v.unknown[first + i]), sum);
    else
      parts[v.first_part[p] + part] = sum;
  }
  __syncthreads();
}

template <class T>
__device__ inline T shared_sum(const PatchView& v, index_t s, const T* parts) {
  T sum = 0;
  for (int k = v.part_start[s]; k < v.part_start[s + 1]; ++k) sum += parts[v.part[k]];
  return sum;
}

template <class Element, class T, class Then>
__global__ void __launch_bounds__(patch_elements)
    patch_kernel(PatchView v, const T* __restrict__ gram, const T* __restrict__ x, T* __restrict__ parts,
                 Then then) {
  extern __shared__ char memory[];
  apply_patch<Element>(v, blockIdx.x, gram, x, parts, *reinterpret_cast<PatchWork<T>*>(memory), then);
}

template <int K, class Then>
struct Summed {
  const Then& then;
  backend::Sums<double, K>& s;
  template <class T>
  __device__ void operator()(index_t i, T sum) const {
    then(i, sum, s);
  }
};

/// Second kernel of a product with sums: adds to what the first one posted.
template <int K>
struct PostMore {
  double* sums;
  __device__ void operator()(const backend::Sums<double, K>& all) const {
    for (int k = 0; k < K; ++k) sums[k] += all.v[k];
  }
};

template <int K, class T, class Then>
__global__ void __launch_bounds__(patch_elements)
    patch_sum_kernel(PatchView v, const T* __restrict__ gram, const T* __restrict__ x, T* __restrict__ parts,
                     Then then, double* block_sums) {
  extern __shared__ char memory[];
  backend::Sums<double, K> s{};
  for (int p = blockIdx.x; p < v.patches; p += gridDim.x)
    apply_patch<Stiffness>(v, p, gram, x, parts, *reinterpret_cast<PatchWork<T>*>(memory),
                           Summed<K, Then>{then, s});
  // patch_elements is no power of two: warps first, then one thread over the warps
  __shared__ double warps[patch_elements / 32][K];
  for (int offset = 16; offset > 0; offset /= 2)
    for (int k = 0; k < K; ++k) s.v[k] += __shfl_down_sync(0xffffffffu, s.v[k], offset);
  if (threadIdx.x % 32 == 0)
    for (int k = 0; k < K; ++k) warps[threadIdx.x / 32][k] = s.v[k];
  __syncthreads();
  if (threadIdx.x == 0)
    for (int k = 0; k < K; ++k) {
      double all = 0;
      for (int w = 0; w < patch_elements / 32; ++w) all += warps[w][k];
      block_sums[blockIdx.x * K + k] = all;
    }
}

template <class T, class Then>
struct SharedRows {
  PatchView v;
  const T* parts;
  Then then;
  __device__ void operator()(index_t s) const { then(index_t(v.shared_unknown[s]), shared_sum(v, s, parts)); }
};
/// Shared unknowns, and after them the sums of the first kernel's blocks.
template <int K, class T, class Then>
struct SharedRowsSum {
  PatchView v;
  const T* parts;
  Then then;
  const double* block_sums;
  template <class S>
  __device__ void operator()(index_t s, S& sums) const {
    if (s < v.shared) return then(index_t(v.shared_unknown[s]), shared_sum(v, s, parts), sums);
    for (int k = 0; k < K; ++k) sums.v[k] += block_sums[(s - v.shared) * K + k];
  }
};

/// c V / 20 grad(lambda_i) . grad(lambda_j) of every element, as quadratic_stiffness wants it.
/// coefficient(e) gives c.
template <class T, class Coefficient>
struct FillGram {
  int elements;
  const int* tet;   // [element][4]
  const double* x;  // [node][3]
  Coefficient coefficient;
  T* gram;
  UMOV_HD void operator()(index_t at) const {
    const index_t p = at / patch_elements, t = at % patch_elements;
    double v[3][3], c[3][3];
    if (at < elements)
      for (int k = 0; k < 3; ++k)
        for (int d = 0; d < 3; ++d)
          v[k][d] = x[3 * index_t(tet[4 * at + k + 1]) + d] - x[3 * index_t(tet[4 * at]) + d];
    for (int k = 0; k < 3; ++k) {
      const double *a = v[(k + 1) % 3], *b = v[(k + 2) % 3];
      c[k][0] = a[1] * b[2] - a[2] * b[1];
      c[k][1] = a[2] * b[0] - a[0] * b[2];
      c[k][2] = a[0] * b[1] - a[1] * b[0];
    }
    double f = 0;  // the last patch is filled up with empty elements
    if (at < elements)
      f = coefficient(at) / (120 * (v[0][0] * c[0][0] + v[0][1] * c[0][1] + v[0][2] * c[0][2]));
    const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 6; ++k) {
      const double *a = c[pair[k][0]], *b = c[pair[k][1]];
      gram[(p * 6 + k) * patch_elements + t] =
          at < elements ? T(f * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2])) : T(0);
    }
  }
};

template <class T>
struct StoreInverse {
  T* out;
  UMOV_HD void operator()(index_t i, T d) const { out[i] = d > 0 ? T(1) / d : T(0); }
};

/// K = sum over elements. Streams 6 T + 40 bytes per element and some 3 T + 12 bytes per unknown of a patch.
template <class T>
class QuadraticOperator {
  using Cuda = backend::Cuda;

 public:
  /// `patches` outlives this.
  QuadraticOperator(Cuda& dev, const Patches& patches) : dev_(&dev), patches_(&patches) {
    const PatchView v = patches.view();
    gram_ = dev.template allocate<T>(std::size_t(v.patches) * 6 * patch_elements);
    parts_ = dev.template allocate<T>(patches.parts());
    block_sums_ = dev.template allocate<double>(backend::cuda::reduce_blocks * 4);
  }
  /// New coefficients, constant in each element.
  template <class Coefficient>
  void set(const int* tet, const double* x, const Coefficient& coefficient) {
    const PatchView v = patches_->view();
    dev_->for_each(index_t(v.patches) * patch_elements,
                   FillGram<T, Coefficient>{v.elements, tet, x, coefficient, gram_.data()});
  }
  index_t size() const { return patches_->view().unknowns; }
  std::size_t bytes() const { return gram_.bytes() + parts_.bytes() + block_sums_.bytes(); }

  template <class Then>
  void then(const T* x, const Then& f) const {
    run<Stiffness>(x, f);
  }
  template <int K, class Then>
  void then_sum(const T* x, const Then& f, double* sums) const {
    static_assert(K <= 4);
    const PatchView v = patches_->view();
    const int blocks = std::clamp(v.patches, 1, backend::cuda::reduce_blocks);
    patch_sum_kernel<K><<<unsigned(blocks), patch_elements, sizeof(PatchWork<T>), dev_->stream()>>>(
        v, gram_.data(), x, parts_.data(), f, block_sums_.data());
    UMOV_CUDA_CHECK(cudaGetLastError());
    dev_->template reduce_to<K>(index_t(v.shared) + blocks,
                                SharedRowsSum<K, T, Then>{v, parts_.data(), f, block_sums_.data()}, sums);
  }
  void apply(const T* x, T* y) const { then(x, sparse::Store<T>{y}); }
  void apply_dot(const T* x, T* y, double* sums) const { then_sum<1>(x, sparse::StoreDot<T>{x, y}, sums); }

  /// 1 / diagonal; 0 where it is not positive.
  void inverse_diagonal(T* out) const { run<StiffnessDiagonal>((const T*)nullptr, StoreInverse<T>{out}); }

 private:
  template <class Element, class Then>
  void run(const T* x, const Then& f) const {
    const PatchView v = patches_->view();
    if (v.patches == 0) return;
    patch_kernel<Element><<<unsigned(v.patches), patch_elements, sizeof(PatchWork<T>), dev_->stream()>>>(
        v, gram_.data(), x, parts_.data(), f);
    UMOV_CUDA_CHECK(cudaGetLastError());
    dev_->for_each(v.shared, SharedRows<T, Then>{v, parts_.data(), f});
  }
  Cuda* dev_;
  const Patches* patches_;
  Cuda::Array<T> gram_;
  mutable Cuda::Array<T> parts_;
  mutable Cuda::Array<double> block_sums_;
};

}  // namespace umov::eqs::gpu
