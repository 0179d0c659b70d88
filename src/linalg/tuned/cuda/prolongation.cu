// Rows of the smoothed prolongation: a group of lanes reads a row, and every entry that is the first of its
// aggregate adds up those that follow it.
#include <algorithm>

#include "backend/cuda/occupancy.hpp"
#include "linalg/tuned/cuda/multiply.hpp"
#include "linalg/tuned/cuda/prolongation.hpp"
#include "linalg/tuned/cuda/row_sink.cuh"
#include "linalg/tuned/cuda/tables.hpp"

namespace umov::amg {
namespace {

using backend::Cuda;
using sparse::gpu::Group;
using sparse::gpu::Sink;

using sparse::gpu::threads;

/// -omega / d_F of a row (RowSmoothing::scale), its weak entries added up by lane, then over the lanes: the
/// sum has one order.
template <int Lanes, class T>
__device__ T row_scale(const Group<Lanes>& g, const RowSmoothing<T>& s, int i) {
  const auto& a = s.strong.a;
  T weak = 0;
  for (int k = a.start[i] + g.lane; k < a.start[i + 1]; k += Lanes)
    if (a.column[k] != i && !s.strong(i, k)) weak += a.value[k];
  for (int o = Lanes / 2; o > 0; o /= 2) weak += __shfl_xor_sync(g.mask, weak, o, Lanes);
  const T diagonal = s.strong.diagonal[i];
  T d = diagonal + weak;
  if (!(d > T(0.01) * diagonal)) d = diagonal;
  return d > 0 ? -s.omega / d : T(0);
}

/// Of the places of a row, a multiple of 8.
template <class T>
UMOV_HD std::size_t row_bytes(int most) {
  return (std::size_t(most) * (sizeof(int) + sizeof(T)) + 7) / 8 * 8;
}

/// Rows of at most `most` - 1 entries (dense ones have a prolongation of one entry and always fit). Far: rows
/// from `first_row` on that are too long for shared memory have their place in `far`, which holds as many as
/// a launch has blocks.
template <int Lanes, bool Far, class T>
__global__ void __launch_bounds__(threads)
    prolongation_rows(RowSmoothing<T> smoothing, const int* __restrict__ of_node, int most, Sink<T> sink,
                      int first_row, char* far) {
  extern __shared__ int shared[];
  const Group<Lanes> g;
  const auto& a = smoothing.strong.a;
  const int groups = blockDim.x / Lanes, mine = threadIdx.x / Lanes;
  const int i = blockIdx.x * groups + mine + (Far ? first_row : 0);
  T* const base = Far ? reinterpret_cast<T*>(far + blockIdx.x * groups * row_bytes<T>(most))
                      : reinterpret_cast<T*>(shared);
  T* value = base + mine * most;
  int* key = reinterpret_cast<int*>(base + groups * most) + mine * most;
  const bool work = i < a.rows && sink.count[i] == sparse::gpu::todo;
  int n = 0, length = 0;
  bool over = false;
  if (work && of_node[i] >= 0) {
    const int start = a.start[i], entries = a.start[i + 1] - start;
    const bool dense = is_dense(a, i, smoothing.dense);
    length = dense ? 1 : 1 + entries;
    over = length > most;
    if (!over) {
      const T scale = dense ? T(0) : row_scale(g, smoothing, i);
      if (g.lane == 0) key[0] = of_node[i], value[0] = T(1) - smoothing.omega * (scale != 0);
      for (int p = 1 + g.lane; p < length; p += Lanes) {
        const int k = start + p - 1;
        const bool in = scale != 0 && smoothing.strong(i, k);
        key[p] = in ? of_node[a.column[k]] : -1;
        value[p] = scale * a.value[k];
      }
      g.sync();
      // the first of an aggregate adds up those that follow; it then moves to the front, behind the ones
      // before
      for (int p0 = 0; p0 < length; p0 += Lanes) {
        const int p = p0 + g.lane, c = p < length ? key[p] : -1;
        const unsigned same = __match_any_sync(g.mask, c);  // by all lanes, whatever they have
        bool first = c >= 0 && (same & ((1u << threadIdx.x % 32) - 1)) == 0;
        for (int q = 0; q < n && first; ++q) first = key[q] != c;
        T sum = 0;
        if (first)
          for (int q = p; q < length; ++q)
            if (key[q] == c) sum += value[q];
        const unsigned who = g.who(first);
        g.sync();
        const int front = n + __popc(who & ((1u << g.lane) - 1));
        if (first) key[front] = c, value[front] = sum;
        n += __popc(who);
        g.sync();
      }
    } else if (g.lane == 0) {
      *sink.left = 1;
    }
  }
  const unsigned long long to = sparse::gpu::take_stretch<Lanes, threads>(n, g.lane, sink.used);
  if (!work || over) return;
  if (g.lane == 0) sink.count[i] = n, sink.place[i] = unsigned(to);
  if (to + n > sink.capacity || n == 0) return;
  for (int p = g.lane; p < n; p += Lanes) {
    const int c = key[p];
    int rank = 0;
    for (int q = 0; q < n; ++q) rank += key[q] < c;
    sink.column[to + rank] = c;
    sink.value[to + rank] = value[p];
  }
}

struct SmoothedLength {
  const int* start;
  int dense;
  UMOV_HD double operator()(index_t i) const {
    const int n = start[i + 1] - start[i];
    return n > dense ? 1 : n + 1;
  }
};

/// Rows of up to `most` entries whose places are in shared memory; false when longer ones are left.
template <int Lanes, class T>
bool short_rows(Cuda& dev, const RowSmoothing<T>& smoothing, const int* of_node, int most,
                const Sink<T>& sink) {
  const int rows = smoothing.strong.a.rows, block = most > 512 ? 32 : threads, groups = block / Lanes;
  const std::size_t bytes = groups * most * (sizeof(int) + sizeof(T));
  const auto kernel = prolongation_rows<Lanes, false, T>;
  backend::cuda::allow_shared(kernel, bytes);
  dev.fill_zero(sink.left, 1);
  kernel<<<unsigned((rows + groups - 1) / groups), block, bytes, dev.stream()>>>(smoothing, of_node, most,
                                                                                 sink, 0, nullptr);
  UMOV_CUDA_CHECK(cudaGetLastError());
  int left = 0;
  dev.download(&left, sink.left, 1);
  return left == 0;
}

/// Rows of any length, some thousands at a time, with places in device memory.
template <class T>
void far_rows(Cuda& dev, const RowSmoothing<T>& smoothing, const int* of_node, int most,
              const Sink<T>& sink) {
  constexpr std::size_t most_bytes = 64 << 20;
  const int rows = smoothing.strong.a.rows;
  const std::size_t bytes = row_bytes<T>(most);
  const int at_once = int(std::clamp<std::size_t>(most_bytes / bytes, 1, std::size_t(rows)));
  auto far = dev.template allocate<double>(at_once * bytes / sizeof(double));
  for (int first = 0; first < rows; first += std::min(at_once, rows - first)) {
    prolongation_rows<32, true, T><<<unsigned(std::min(at_once, rows - first)), 32, 0, dev.stream()>>>(
        smoothing, of_node, most, sink, first, reinterpret_cast<char*>(far.data()));
    UMOV_CUDA_CHECK(cudaGetLastError());
  }
  dev.synchronize();
}

}  // namespace

template <class T>
sparse::Csr<Cuda, T> smoothed_prolongation(Cuda& dev, const RowSmoothing<T>& smoothing, const int* of_node,
                                           int aggregates) {
  const auto& a = smoothing.strong.a;
  const auto make = [&](const Sink<T>& sink) {
    if (short_rows<8>(dev, smoothing, of_node, 48, sink)) return;
    if (short_rows<32>(dev, smoothing, of_node, 384, sink)) return;
    const int most = int(dev.map_max(a.rows, SmoothedLength{a.start, smoothing.dense}));
    if (!sparse::gpu::row_fits(most, sizeof(int) + sizeof(T), dev.limits()))
      far_rows(dev, smoothing, of_node, most, sink);
    else if (!short_rows<32>(dev, smoothing, of_node, most, sink))
      throw MachineFailure("a row is too long for the GPU");
  };
  return sparse::gpu::collect_rows<T>(dev, a.rows, aggregates, index_t(a.rows) * 8 + 1024, make);
}

template sparse::Csr<Cuda, float> smoothed_prolongation(Cuda&, const RowSmoothing<float>&, const int*, int);
template sparse::Csr<Cuda, double> smoothed_prolongation(Cuda&, const RowSmoothing<double>&, const int*, int);

}  // namespace umov::amg
