// Rows of the smoothed prolongation, one thread each; the aggregates a row meets are few and kept in a short list.
#include "linalg/tuned/cuda/prolongation.hpp"

#include "linalg/tuned/cuda/multiply.hpp"

namespace umov::amg {
namespace {

using backend::Cuda;

constexpr int threads = 128;
/// Entries of a row in shared memory; longer rows take device memory.
constexpr int most_near = 32;

/// A list of columns and sums; element e of a thread is `stride` from element e + 1.
template <class T>
struct List {
  int* column;
  T* sum;
  int stride, most, used = 0;
  /// False when it is full.
  __device__ bool add(int j, T v) {
    for (int e = 0; e < used; ++e)
      if (column[e * stride] == j) {
        sum[e * stride] += v;
        return true;
      }
    if (used == most) return false;
    column[used * stride] = j, sum[used * stride] = v;
    ++used;
    return true;
  }
  __device__ void sort() {
    for (int e = 1; e < used; ++e) {
      const int j = column[e * stride];
      const T v = sum[e * stride];
      int to = e;
      for (; to > 0 && column[(to - 1) * stride] > j; --to)
        column[to * stride] = column[(to - 1) * stride], sum[to * stride] = sum[(to - 1) * stride];
      column[to * stride] = j, sum[to * stride] = v;
    }
  }
};

template <class T>
__device__ bool gather(const RowSmoothing<T>& smoothing, const int* __restrict__ of_node, int i, List<T>& list) {
  const auto& a = smoothing.strong.a;
  if (of_node[i] < 0) return true;
  const T scale = smoothing.scale(i);
  bool fits = list.add(of_node[i], T(1) - smoothing.omega * (scale != 0));
  if (scale != 0)
    for (int k = a.start[i]; k < a.start[i + 1] && fits; ++k) {
      const int j = of_node[a.column[k]];
      if (j >= 0 && smoothing.strong(i, k)) fits = list.add(j, scale * a.value[k]);
    }
  return fits;
}

/// Entries of row i; -1 if more than a short list holds. `far` is the memory of long lists, of which each
/// holds `far_most`, and only rows with -1 take them.
template <class T>
__global__ void __launch_bounds__(threads)
    count_entries(RowSmoothing<T> smoothing, const int* __restrict__ of_node, int* count, int* overflow) {
  __shared__ int column[most_near * threads];
  __shared__ T sum[most_near * threads];
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= smoothing.strong.a.rows) return;
  List<T> list{column + threadIdx.x, sum + threadIdx.x, threads, most_near};
  const bool fits = gather(smoothing, of_node, i, list);
  count[i] = fits ? list.used : -1;
  if (!fits) *overflow = 1;
}

template <class T>
__global__ void __launch_bounds__(threads)
    fill_entries(RowSmoothing<T> smoothing, const int* __restrict__ of_node, const int* __restrict__ start,
                 int* __restrict__ out_column, T* __restrict__ out_value) {
  __shared__ int column[most_near * threads];
  __shared__ T sum[most_near * threads];
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= smoothing.strong.a.rows) return;
  const int to = start[i], n = start[i + 1] - to;
  if (n > most_near) return;
  List<T> list{column + threadIdx.x, sum + threadIdx.x, threads, most_near};
  gather(smoothing, of_node, i, list);
  list.sort();
  for (int e = 0; e < n; ++e)
    out_column[to + e] = list.column[e * threads], out_value[to + e] = list.sum[e * threads];
}

/// The same for long rows, straight into place; before their number is known, into `work`.
template <class T>
__global__ void long_rows(RowSmoothing<T> smoothing, const int* __restrict__ of_node, int most, int* work_column,
                          T* work_sum, int* count, const int* start, int* out_column, T* out_value) {
  const int me = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  for (int i = me; i < smoothing.strong.a.rows; i += all) {
    if (start ? start[i + 1] - start[i] <= most_near : count[i] != -1) continue;
    List<T> list{work_column + me, work_sum + me, all, most};
    gather(smoothing, of_node, i, list);
    if (!start) {
      count[i] = list.used;
      continue;
    }
    list.sort();
    for (int e = 0; e < list.used; ++e)
      out_column[start[i] + e] = list.column[e * all], out_value[start[i] + e] = list.sum[e * all];
  }
}

struct SmoothedLength {
  const int* start;
  int dense;
  UMOV_HD double operator()(index_t i) const {
    const int n = start[i + 1] - start[i];
    return n > dense ? 0 : n + 1;
  }
};

}  // namespace

template <class T>
sparse::Csr<Cuda, T> smoothed_prolongation(Cuda& dev, const RowSmoothing<T>& smoothing, const int* of_node,
                                           int aggregates) {
  const auto& a = smoothing.strong.a;
  sparse::Csr<Cuda, T> p;
  p.rows = a.rows, p.columns = aggregates;
  p.start = dev.template allocate<int>(std::size_t(a.rows) + 1);
  auto overflow = dev.template allocate<int>(1);
  dev.fill_zero(overflow.data(), 1);
  dev.fill_zero(p.start.data() + a.rows, 1);
  if (a.rows == 0) return p;
  const unsigned blocks = unsigned((a.rows + threads - 1) / threads);
  count_entries<T><<<blocks, threads, 0, dev.stream()>>>(smoothing, of_node, p.start.data(), overflow.data());
  UMOV_CUDA_CHECK(cudaGetLastError());
  int longer = 0;
  dev.download(&longer, overflow.data(), 1);
  constexpr int long_blocks = 32, long_threads = 64;
  const int most = longer ? int(dev.map_max(a.rows, SmoothedLength{a.start, smoothing.dense})) : 0;
  auto work_column = dev.template allocate<int>(std::size_t(most) * long_blocks * long_threads);
  auto work_sum = dev.template allocate<T>(std::size_t(most) * long_blocks * long_threads);
  const auto run_long = [&](const int* start, int* column, T* value) {
    if (!longer) return;
    long_rows<T><<<long_blocks, long_threads, 0, dev.stream()>>>(smoothing, of_node, most, work_column.data(),
                                                                 work_sum.data(), p.start.data(), start, column,
                                                                 value);
    UMOV_CUDA_CHECK(cudaGetLastError());
  };
  run_long(nullptr, nullptr, nullptr);
  const index_t entries = dev.exclusive_scan(p.start.data(), index_t(a.rows) + 1);
  sparse::require_index_range(entries);
  p.column = dev.template allocate<int>(std::size_t(entries));
  p.value = dev.template allocate<T>(std::size_t(entries));
  fill_entries<T><<<blocks, threads, 0, dev.stream()>>>(smoothing, of_node, p.start.data(), p.column.data(),
                                                        p.value.data());
  UMOV_CUDA_CHECK(cudaGetLastError());
  run_long(p.start.data(), p.column.data(), p.value.data());
  return p;
}

template sparse::Csr<Cuda, float> smoothed_prolongation(Cuda&, const RowSmoothing<float>&, const int*, int);
template sparse::Csr<Cuda, double> smoothed_prolongation(Cuda&, const RowSmoothing<double>&, const int*, int);

}  // namespace umov::amg
