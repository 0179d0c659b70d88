// The stiffness matrix of second order applied element by element on a GPU, without its matrix.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "eqs/tuned/cuda/element_numbers.hpp"
#include "linalg/sparse/rows.hpp"
#include "linalg/tuned/cuda/long_runs.cuh"

namespace umov::eqs::gpu {

/// What an element contributes to its ten unknowns.
struct Stiffness {
  static constexpr bool reads = true;
  static constexpr int numbers = 6;
  template <class T>
  __device__ void operator()(const T* g, const T* u, T* y) const {
    quadratic_stiffness(g, u, y);
  }
};
/// The same with a tensor at each point.
struct PointStiffness {
  static constexpr bool reads = true;
  static constexpr int numbers = point_numbers;
  template <class T>
  __device__ void operator()(const T* g, const T* u, T* y) const {
    quadratic_stiffness_points<T>(g, u, y);
  }
};
/// Integral of c grad N_i . grad N_i: 3/5 c V g_ii of a vertex, 8/5 c V (g_aa + g_bb + g_ab) of an edge.
struct StiffnessDiagonal {
  static constexpr bool reads = false;
  static constexpr int numbers = 6;
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

/// Contributions or parts of one unknown that are left to the block.
inline constexpr int long_sum = 64;

/// What a patch's elements have put into shared memory, by unknowns: inner(u, sum) for the patch's own, sums
/// of shared ones to `parts`.
template <class T, class Inner>
__device__ inline void gather_patch(const PatchView& v, int p, const PatchWork<T>& work,
                                    T* __restrict__ parts, const Inner& inner) {
  const int first = v.first[p], locals = v.first[p + 1] - first;
  const int shared = v.first_part[p + 1] - v.first_part[p], filled = v.filled[p];
  const std::uint16_t* gather = v.gather + index_t(p) * width * patch_elements;
  const auto at = [&](int k) { return work.v[gather[k]]; };
  for (int base = 0; base < locals; base += patch_elements) {
    const int i = base + int(threadIdx.x);
    const int begin = i < locals ? v.start[first + i] : 0;
    const int end = i + 1 < locals ? v.start[first + i + 1] : i < locals ? filled : 0;
    const T sum = sparse::gpu::sum_of_run<patch_elements, T>({begin, end}, long_sum, at);
    if (i >= locals) continue;
    const int part = i - (locals - shared);
    if (part < 0)
      inner(index_t(v.unknown[first + i]), sum);
    else
      parts[v.first_part[p] + part] = sum;
  }
}

/// Every element puts its ten contributions into shared memory, then every unknown takes its own in a fixed
/// order: inner(u, sum) for the patch's own; sums of shared unknowns go to `parts`.
template <class Element, class T, class Inner>
__device__ inline void apply_patch(const PatchView& v, int p, const T* __restrict__ numbers,
                                   const T* __restrict__ x, T* __restrict__ parts, PatchWork<T>& work,
                                   const Inner& inner) {
  const int first = v.first[p], locals = v.first[p + 1] - first;
  const int t = threadIdx.x;
  const index_t base = index_t(p) * width * patch_elements;
  T g[Element::numbers], u[width], y[width];
  int place[width];
  if constexpr (Element::reads) {
#pragma unroll
    for (int k = 0; k < width; ++k) place[k] = v.place[base + k * patch_elements + t];
  }
#pragma unroll
  for (int k = 0; k < Element::numbers; ++k) g[k] = numbers[k * patch_elements + t];
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
  gather_patch(v, p, work, parts, inner);
  __syncthreads();
}

inline constexpr int sum_threads = 256;
/// The sum of shared unknown s (none: s >= v.shared). All threads of a block of sum_threads take part.
template <class T>
__device__ inline T shared_sum(const PatchView& v, int s, const T* __restrict__ parts) {
  const auto at = [&](int k) { return parts[v.part[k]]; };
  const int begin = v.part_start[min(s, v.shared)], end = v.part_start[min(s + 1, v.shared)];
  return sparse::gpu::sum_of_run<sum_threads, T>({begin, end}, long_sum, at);
}

template <class Element, class T, class Then>
__global__ void __launch_bounds__(patch_elements)
    patch_kernel(PatchView v, NumbersView<T> n, const T* __restrict__ x, T* __restrict__ parts, Then then) {
  extern __shared__ char memory[];
  const int p = n.patch ? n.patch[blockIdx.x] : blockIdx.x;
  apply_patch<Element>(v, p, n.of(p), x, parts, *reinterpret_cast<PatchWork<T>*>(memory), then);
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

template <class Element, int K, class T, class Then>
__global__ void __launch_bounds__(patch_elements)
    patch_sum_kernel(PatchView v, NumbersView<T> n, const T* __restrict__ x, T* __restrict__ parts, Then then,
                     double* block_sums) {
  extern __shared__ char memory[];
  backend::Sums<double, K> s{};
  for (int b = blockIdx.x; b < n.count; b += gridDim.x) {
    const int p = n.patch ? n.patch[b] : b;
    apply_patch<Element>(v, p, n.of(p), x, parts, *reinterpret_cast<PatchWork<T>*>(memory),
                         Summed<K, Then>{then, s});
  }
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
__global__ void __launch_bounds__(sum_threads)
    shared_rows_kernel(PatchView v, const T* __restrict__ parts, Then then) {
  const int s = blockIdx.x * sum_threads + threadIdx.x;
  const T sum = shared_sum(v, s, parts);
  if (s < v.shared) then(index_t(v.shared_unknown[s]), sum);
}
/// Shared unknowns, and after them the sums of the first kernel's `blocks` blocks.
template <int K, class T, class Then>
__global__ void __launch_bounds__(sum_threads)
    shared_rows_sum_kernel(PatchView v, const T* __restrict__ parts, Then then, const double* block_sums,
                           int blocks, double* partial, unsigned* arrived, double* sums) {
  backend::Sums<double, K> all{};
  for (int base = blockIdx.x * sum_threads; base < v.shared + blocks; base += gridDim.x * sum_threads) {
    const int s = base + int(threadIdx.x);
    const T sum = shared_sum(v, s, parts);
    if (s < v.shared)
      then(index_t(v.shared_unknown[s]), sum, all);
    else if (s < v.shared + blocks)
      for (int k = 0; k < K; ++k) all.v[k] += block_sums[(s - v.shared) * K + k];
  }
  backend::cuda::finish_with<K, sum_threads>(all, partial, arrived, backend::cuda::PostToDevice<K>{sums});
}
/// What the patches have left for shared unknowns.
template <class T, class Then>
void sum_shared_rows(backend::Cuda& dev, const PatchView& v, const T* parts, const Then& then) {
  if (v.shared == 0) return;
  shared_rows_kernel<<<unsigned((v.shared + sum_threads - 1) / sum_threads), sum_threads, 0, dev.stream()>>>(
      v, parts, then);
  UMOV_CUDA_CHECK(cudaGetLastError());
}

template <class T>
struct StoreInverse {
  T* out;
  UMOV_HD void operator()(index_t i, T d) const { out[i] = d > 0 ? T(1) / d : T(0); }
};

/// K = sum over elements. Streams 6 T + 40 bytes per element (24 T + 40 in wide patches) and some 3 T + 12
/// bytes per unknown of a patch.
template <class T>
class QuadraticOperator {
  using Cuda = backend::Cuda;

 public:
  /// `patches` outlives this.
  QuadraticOperator(Cuda& dev, const Patches& patches) : dev_(&dev), patches_(&patches) {
    parts_ = dev.template allocate<T>(patches.parts());
    block_sums_ = dev.template allocate<double>(2 * backend::cuda::reduce_blocks * 4);
  }
  /// New coefficients, constant in each element.
  template <class Coefficient>
  void set(const int* tet, const double* x, const Coefficient& coefficient) {
    const PatchView v = patches_->view();
    if (numbers_.size() == 0)
      numbers_ = dev_->template allocate<T>(std::size_t(v.patches) * 6 * patch_elements);
    narrow_count_ = v.patches;
    dev_->for_each(index_t(v.patches) * patch_elements,
                   FillGram<T, Coefficient>{v.elements, tet, x, coefficient, numbers_.data()});
  }
  /// Elements some of which have tensors at points: of.points(e) says which, the same at every call, and
  /// of(e, g) fills six numbers or point_numbers and says so again.
  template <class Numbers>
  void set(const Numbers& of) {
    const PatchView v = patches_->view();
    if (first_.size() == 0) lay_out(of);
    dev_->for_each(index_t(v.patches) * patch_elements,
                   FillNumbers<T, Numbers>{of, v.elements, std::as_const(first_).data(), numbers_.data()});
  }
  index_t size() const { return patches_->view().unknowns; }
  std::size_t bytes() const {
    return numbers_.bytes() + parts_.bytes() + block_sums_.bytes() + first_.bytes() + narrow_.bytes() +
           wide_.bytes();
  }

  template <class Then>
  void then(const T* x, const Then& f) const {
    run<Stiffness>(narrow(), x, f);
    run<PointStiffness>(wide(), x, f);
    share(f);
  }
  template <int K, class Then>
  void then_sum(const T* x, const Then& f, double* sums) const {
    static_assert(K <= 4);
    const PatchView v = patches_->view();
    int blocks = 0;
    blocks += run_sum<Stiffness, K>(narrow(), x, f, block_sums_.data());
    blocks += run_sum<PointStiffness, K>(wide(), x, f, block_sums_.data() + K * blocks);
    const auto t = dev_->ticket();
    constexpr int most = backend::cuda::reduce_blocks * (backend::cuda::most_sums / K);
    const int needed = (v.shared + blocks + sum_threads - 1) / sum_threads;
    shared_rows_sum_kernel<K><<<unsigned(std::clamp(needed, 1, most)), sum_threads, 0, dev_->stream()>>>(
        v, parts_.data(), f, block_sums_.data(), blocks, t.partial, t.arrived, sums);
    UMOV_CUDA_CHECK(cudaGetLastError());
  }
  void apply(const T* x, T* y) const { then(x, sparse::Store<T>{y}); }
  void apply_dot(const T* x, T* y, double* sums) const { then_sum<1>(x, sparse::StoreDot<T>{x, y}, sums); }

  /// 1 / diagonal, of elements with six numbers; 0 where it is not positive.
  void inverse_diagonal(T* out) const {
    run<StiffnessDiagonal>(narrow(), (const T*)nullptr, StoreInverse<T>{out});
    share(StoreInverse<T>{out});
  }

 private:
  NumbersView<T> narrow() const { return {numbers_.data(), first_.data(), narrow_.data(), narrow_count_}; }
  NumbersView<T> wide() const { return {numbers_.data(), first_.data(), wide_.data(), int(wide_.size())}; }

  template <class Numbers>
  void lay_out(const Numbers& of) {
    const PatchView v = patches_->view();
    first_ = dev_->template allocate<int>(v.patches + 1);
    dev_->fill_zero(first_.data() + v.patches, 1);
    dev_->for_each(v.patches, MarkWide<Numbers>{of, v.elements, first_.data()});
    std::vector<int> units(v.patches), lists[2];
    dev_->download(units.data(), std::as_const(first_).data(), units.size());
    for (int p = 0; p < v.patches; ++p) lists[units[p] > 1].push_back(p);
    narrow_ = to_list(lists[0]);
    wide_ = to_list(lists[1]);
    narrow_count_ = int(lists[0].size());
    const index_t all = dev_->exclusive_scan(first_.data(), v.patches + 1);
    numbers_ = dev_->template allocate<T>(std::size_t(all) * 6 * patch_elements);
  }
  Cuda::Array<int> to_list(const std::vector<int>& list) const {
    auto out = dev_->template allocate<int>(list.size());
    if (!list.empty()) dev_->upload(out.data(), list.data(), list.size());
    return out;
  }
  template <class Element, class Then>
  void run(const NumbersView<T>& n, const T* x, const Then& f) const {
    if (n.count == 0) return;
    patch_kernel<Element><<<unsigned(n.count), patch_elements, sizeof(PatchWork<T>), dev_->stream()>>>(
        patches_->view(), n, x, parts_.data(), f);
    UMOV_CUDA_CHECK(cudaGetLastError());
  }
  template <class Then>
  void share(const Then& f) const {
    sum_shared_rows(*dev_, patches_->view(), std::as_const(parts_).data(), f);
  }
  /// How many blocks' sums it left.
  template <class Element, int K, class Then>
  int run_sum(const NumbersView<T>& n, const T* x, const Then& f, double* sums) const {
    if (n.count == 0) return 0;
    const int blocks = std::min(n.count, int(backend::cuda::reduce_blocks));
    patch_sum_kernel<Element, K><<<unsigned(blocks), patch_elements, sizeof(PatchWork<T>), dev_->stream()>>>(
        patches_->view(), n, x, parts_.data(), f, sums);
    UMOV_CUDA_CHECK(cudaGetLastError());
    return blocks;
  }

  Cuda* dev_;
  const Patches* patches_;
  Cuda::Array<T> numbers_;
  Cuda::Array<int> first_, narrow_, wide_;
  int narrow_count_ = 0;
  mutable Cuda::Array<T> parts_;
  mutable Cuda::Array<double> block_sums_;
};

}  // namespace umov::eqs::gpu
