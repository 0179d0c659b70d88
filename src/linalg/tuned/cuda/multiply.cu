// Sparse products on a GPU: rows sorted into classes by the size of their hash table.
#include <limits>

#include "backend/cuda/occupancy.hpp"
#include "linalg/tuned/cuda/multiply.cuh"
#include "linalg/tuned/cuda/multiply.hpp"

namespace umov::sparse {
namespace {

using backend::Cuda;
using backend::cuda::allow_shared;
using gpu::most_in;
using gpu::Range;
using gpu::Shape;

/// Sizes of tables are 64, 128, 256, 512, 1024 and what gpu::largest_table says. Rows beyond the last one get
/// tables in device memory.
constexpr int classes = 6;
constexpr int table_size(int c, int largest) { return c + 1 < classes ? 64 << c : largest; }
/// Rows of the classes before have at most so many entries.
constexpr int above(int c) { return c == 0 ? 0 : most_in(table_size(c - 1, 0)); }
/// The class of a row of n entries: 0 to classes; -1 for none.
UMOV_HD inline int class_of(int n, int largest) {
  if (n == 0) return -1;
  int c = 0;
  for (int size = 64; c + 1 < classes && n > size / 4 * 3; size *= 2) ++c;
  return n > largest / 4 * 3 ? classes : c;
}

/// Rows in each class, and beyond all.
struct Census {
  const int* start;
  int largest;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const int mine = class_of(start[i + 1] - start[i], largest);
    for (int c = 0; c <= classes; ++c) s.v[c] += c == mine;
  }
};
using Counts = backend::Sums<double, classes + 1>;

struct RowLength {
  const int* start;
  UMOV_HD double operator()(index_t i) const { return double(start[i + 1] - start[i]); }
};

/// Products that row i of A B takes.
struct RowProducts {
  const int *a_start, *a_column, *b_start;
  UMOV_HD double operator()(index_t i) const {
    double n = 0;
    for (int k = a_start[i]; k < a_start[i + 1]; ++k) n += b_start[a_column[k] + 1] - b_start[a_column[k]];
    return n;
  }
};

int power_of_two(double n) {
  int p = 64;
  while (p < n) p *= 2;
  return p;
}

/// Calls f(lanes) with the number of lanes that suits rows of B of this average length.
template <class F>
void with_lanes(double average, int size, const F& f) {
  if (size > 512 || average > 20)
    f(std::integral_constant<int, 32>{});
  else if (average > 9)
    f(std::integral_constant<int, 16>{});
  else
    f(std::integral_constant<int, 8>{});
}

constexpr unsigned far_blocks = 8;  // of rows beyond all classes

template <class T>
double mean_row(Cuda& dev, const CsrView<T>& a) {
  int entries = int(a.entries);
  if (entries == 0) dev.download(&entries, a.start + a.rows, 1);
  return double(entries) / std::max(1, a.rows);
}

template <class T, class KernelOf>
void each_class(Cuda& dev, const Counts& counts, int rows, double mean, std::size_t bytes, const KernelOf& go,
                const int* c_start) {
  const int largest = gpu::largest_table(bytes, dev.limits());
  for (int c = 0; c < classes; ++c) {
    if (counts.v[c] == 0) continue;
    const int size = table_size(c, largest);
    with_lanes(mean, size, [&](auto lanes) {
      go(lanes, gpu::shape(rows, lanes, size, bytes, dev.limits()), size, Range{above(c), most_in(size)},
         (char*)nullptr);
    });
  }
  if (counts.v[classes] == 0) return;
  const int size = power_of_two(1.34 * dev.map_max(rows, RowLength{c_start}));
  auto work = dev.template allocate<double>(far_blocks * size * bytes / sizeof(double));
  go(std::integral_constant<int, 32>{}, Shape{far_blocks, 32, 0}, size,
     Range{most_in(largest), std::numeric_limits<int>::max()}, reinterpret_cast<char*>(work.data()));
  dev.synchronize();
}

}  // namespace

template <class T>
Csr<Cuda, T> multiply(Cuda& dev, const CsrView<T>& a, const CsrView<T>& b) {
  const double a_mean = mean_row(dev, a), b_mean = mean_row(dev, b);
  // rows of a Galerkin product have some ten products for each entry
  const double products = a_mean * b_mean;
  const int first = products < 250 ? 64 : products < 2000 ? 256 : products < 6000 ? 512 : 1024;
  const std::size_t bytes = sizeof(int) + sizeof(T);
  const auto make = [&](const gpu::Sink<T>& sink) {
    const auto launch = [&](auto lanes, const Shape& s, int size, int limit, char* work) {
      constexpr int L = decltype(lanes)::value;
      allow_shared(gpu::make_rows<L, T>, s.shared);
      gpu::make_rows<L, T><<<s.blocks, s.threads, s.shared, dev.stream()>>>(a, b, size, limit, sink, work);
      UMOV_CUDA_CHECK(cudaGetLastError());
    };
    for (int size : {64, 256, 512, 1024, gpu::largest_table(bytes, dev.limits())}) {
      if (size < first) continue;
      dev.fill_zero(sink.left, 1);
      with_lanes(b_mean, size, [&](auto lanes) {
        launch(lanes, gpu::shape(a.rows, lanes, size, bytes, dev.limits()), size, most_in(size),
               (char*)nullptr);
      });
      int left = 0;
      dev.download(&left, sink.left, 1);
      if (!left) return;
    }
    const double most =
        std::min(double(b.columns), dev.map_max(a.rows, RowProducts{a.start, a.column, b.start}));
    const int size = power_of_two(1.34 * most);
    auto work = dev.template allocate<double>(far_blocks * size * bytes / sizeof(double));
    launch(std::integral_constant<int, 32>{}, Shape{far_blocks, 32, 0}, size, size,
           reinterpret_cast<char*>(work.data()));
    dev.synchronize();
  };
  const index_t guess = index_t(std::min(products, a_mean * 1.25) * a.rows) + 1024;
  return gpu::collect_rows<T>(dev, a.rows, b.columns, guess, make);
}

template <class T>
void multiply_again(Cuda& dev, const CsrView<T>& a, const CsrView<T>& b, Csr<Cuda, T>& c) {
  if (c.rows == 0) return;
  const std::size_t bytes = sizeof(int) + sizeof(T);
  const Counts counts = dev.template map_reduce<classes + 1, double>(
      c.rows, Census{c.start.data(), gpu::largest_table(bytes, dev.limits())});
  const double mean = mean_row(dev, b);
  const auto go = [&](auto lanes, const Shape& s, int size, Range range, char* work) {
    constexpr int L = decltype(lanes)::value;
    allow_shared(gpu::refill_rows<L, T>, s.shared);
    gpu::refill_rows<L, T><<<s.blocks, s.threads, s.shared, dev.stream()>>>(
        a, b, c.start.data(), c.column.data(), c.value.data(), size, range, work);
    UMOV_CUDA_CHECK(cudaGetLastError());
  };
  each_class<T>(dev, counts, c.rows, mean, bytes, go, c.start.data());
}

template Csr<Cuda, float> multiply(Cuda&, const CsrView<float>&, const CsrView<float>&);
template Csr<Cuda, double> multiply(Cuda&, const CsrView<double>&, const CsrView<double>&);
template void multiply_again(Cuda&, const CsrView<float>&, const CsrView<float>&, Csr<Cuda, float>&);
template void multiply_again(Cuda&, const CsrView<double>&, const CsrView<double>&, Csr<Cuda, double>&);

}  // namespace umov::sparse
