// Sparse products on a GPU: rows sorted into classes by the size of their hash table.
#include "linalg/tuned/cuda/multiply.hpp"

#include <limits>

#include "linalg/tuned/cuda/multiply.cuh"

namespace umov::sparse {
namespace {

using backend::Cuda;
using gpu::Range;

/// Sizes of tables; a table is filled to three quarters. Rows beyond the last one get tables in device memory.
constexpr int classes = 6;
constexpr int table_size[classes] = {64, 128, 256, 512, 1024, 8192};
UMOV_HD constexpr int most_in(int size) { return size / 4 * 3; }
constexpr int above(int c) { return c == 0 ? 0 : most_in(table_size[c - 1]); }
/// The class of a row of n entries: 0 to classes; -1 for none.
UMOV_HD inline int class_of(int n) {
  if (n == 0) return -1;
  int c = 0;
  for (int size = 64; c + 1 < classes && n > most_in(size); size *= 2) ++c;
  return n > most_in(8192) ? classes : c;
}

/// Entries in all, rows in each class, rows beyond all classes.
struct Census {
  const int* count;  // or starts of rows
  bool starts;
  template <class S>
  UMOV_HD void operator()(index_t i, S& s) const {
    const int n = starts ? count[i + 1] - count[i] : count[i];
    s.v[0] += n;
    const int mine = class_of(n);
    for (int c = 0; c <= classes; ++c) s.v[1 + c] += c == mine;
  }
};
using Counts = backend::Sums<double, classes + 2>;

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

template <class Kernel>
void allow_shared(Kernel kernel, std::size_t bytes) {
  if (bytes > 48 * 1024)
    UMOV_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
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

struct Shape {
  unsigned blocks, threads;
  std::size_t shared;
};
Shape shape(int rows, int lanes, int size, std::size_t bytes) {
  const int threads = size > 512 ? 32 : gpu::threads, groups = threads / lanes;
  return {unsigned((rows + groups - 1) / groups), unsigned(threads), groups * size * bytes};
}
constexpr unsigned far_blocks = 8;  // of rows beyond all classes

template <class T>
double average(const CsrView<T>& b, double entries) {
  return entries / std::max(1, b.rows);
}

template <class T, class KernelOf>
void each_class(Cuda& dev, const Counts& counts, int rows, double mean, std::size_t bytes, const KernelOf& go,
                const int* c_start) {
  for (int c = 0; c < classes; ++c) {
    if (counts.v[1 + c] == 0) continue;
    const int size = table_size[c];
    with_lanes(mean, size, [&](auto lanes) {
      go(lanes, shape(rows, lanes, size, bytes), size, Range{above(c), most_in(size)}, (char*)nullptr);
    });
  }
  if (counts.v[1 + classes] == 0) return;
  const int size = power_of_two(1.34 * dev.map_max(rows, RowLength{c_start}));
  auto work = dev.template allocate<double>(far_blocks * size * bytes / sizeof(double));
  go(std::integral_constant<int, 32>{}, Shape{far_blocks, 32, 0}, size,
     Range{most_in(table_size[classes - 1]), std::numeric_limits<int>::max()},
     reinterpret_cast<char*>(work.data()));
  dev.synchronize();
}

int last_start(Cuda& dev, const int* start, int rows) {
  int n = 0;
  dev.download(&n, start + rows, 1);
  return n;
}

struct Set {
  int* to;
  int value;
  UMOV_HD void operator()(index_t i) const { to[i] = value; }
};

template <class T>
void count(Cuda& dev, const CsrView<T>& a, const CsrView<T>& b, double a_mean, double b_mean, int* counts) {
  auto overflow = dev.template allocate<int>(1);
  const auto launch = [&](auto lanes, const Shape& s, int size, int limit, int* keys) {
    constexpr int L = decltype(lanes)::value;
    allow_shared(gpu::count_rows<L>, s.shared);
    gpu::count_rows<L><<<s.blocks, s.threads, s.shared, dev.stream()>>>(
        a.rows, a.start, a.column, b.start, b.column, size, limit, counts, overflow.data(), keys);
    UMOV_CUDA_CHECK(cudaGetLastError());
  };
  const auto over = [&] {
    int any = 0;
    dev.download(&any, overflow.data(), 1);
    return any != 0;
  };
  dev.for_each(a.rows, Set{counts, -1});
  // rows of a Galerkin product have some ten products for each entry
  const int first = a_mean * b_mean < 250 ? 64 : a_mean * b_mean < 2000 ? 256 : 512;
  for (int size : {64, 256, 512, 1024, 8192}) {
    if (size < first) continue;
    dev.fill_zero(overflow.data(), 1);
    with_lanes(b_mean, size, [&](auto lanes) {
      launch(lanes, shape(a.rows, lanes, size, sizeof(int)), size, most_in(size), nullptr);
    });
    if (!over()) return;
  }
  const double most = std::min(double(b.columns), dev.map_max(a.rows, RowProducts{a.start, a.column, b.start}));
  const int size = power_of_two(1.34 * most);
  auto keys = dev.template allocate<int>(std::size_t(far_blocks) * size);
  launch(std::integral_constant<int, 32>{}, Shape{far_blocks, 32, 0}, size, size, keys.data());
  dev.synchronize();
}

}  // namespace

template <class T>
Csr<Cuda, T> multiply(Cuda& dev, const CsrView<T>& a, const CsrView<T>& b) {
  Csr<Cuda, T> c;
  c.rows = a.rows, c.columns = b.columns;
  c.start = dev.template allocate<int>(std::size_t(a.rows) + 1);
  dev.fill_zero(c.start.data() + a.rows, 1);
  if (a.rows == 0) return c;
  const double a_mean = average(a, last_start(dev, a.start, a.rows));
  const double b_mean = average(b, last_start(dev, b.start, b.rows));
  count(dev, a, b, a_mean, b_mean, c.start.data());
  const Counts counts =
      dev.template map_reduce<classes + 2, double>(a.rows, Census{c.start.data(), false});
  if (counts.v[0] > std::numeric_limits<int>::max())
    throw MachineFailure("a product of sparse matrices has " + std::to_string(index_t(counts.v[0])) +
                         " entries (at most 2147483647 fit); use a coarser mesh");
  backend::cuda::exclusive_scan(c.start.data(), index_t(a.rows) + 1, dev.stream());
  c.column = dev.template allocate<int>(std::size_t(counts.v[0]));
  c.value = dev.template allocate<T>(std::size_t(counts.v[0]));
  const auto go = [&](auto lanes, const Shape& s, int size, Range range, char* work) {
    constexpr int L = decltype(lanes)::value;
    allow_shared(gpu::fill_rows<L, T>, s.shared);
    gpu::fill_rows<L, T><<<s.blocks, s.threads, s.shared, dev.stream()>>>(
        a.rows, a, b, c.start.data(), c.column.data(), c.value.data(), size, range, work);
    UMOV_CUDA_CHECK(cudaGetLastError());
  };
  each_class<T>(dev, counts, a.rows, b_mean, 2 * sizeof(int) + sizeof(T), go, c.start.data());
  return c;
}

template <class T>
void multiply_again(Cuda& dev, const CsrView<T>& a, const CsrView<T>& b, Csr<Cuda, T>& c) {
  if (c.rows == 0) return;
  const Counts counts = dev.template map_reduce<classes + 2, double>(c.rows, Census{c.start.data(), true});
  const double mean = average(b, last_start(dev, b.start, b.rows));
  const auto go = [&](auto lanes, const Shape& s, int size, Range range, char* work) {
    constexpr int L = decltype(lanes)::value;
    allow_shared(gpu::refill_rows<L, T>, s.shared);
    gpu::refill_rows<L, T><<<s.blocks, s.threads, s.shared, dev.stream()>>>(
        a.rows, a, b, c.start.data(), c.column.data(), c.value.data(), size, range, work);
    UMOV_CUDA_CHECK(cudaGetLastError());
  };
  each_class<T>(dev, counts, c.rows, mean, sizeof(int) + sizeof(T), go, c.start.data());
}

template Csr<Cuda, float> multiply(Cuda&, const CsrView<float>&, const CsrView<float>&);
template Csr<Cuda, double> multiply(Cuda&, const CsrView<double>&, const CsrView<double>&);
template void multiply_again(Cuda&, const CsrView<float>&, const CsrView<float>&, Csr<Cuda, float>&);
template void multiply_again(Cuda&, const CsrView<double>&, const CsrView<double>&, Csr<Cuda, double>&);

}  // namespace umov::sparse
