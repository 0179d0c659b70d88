// Transposes on a GPU: a stable sort of the entries by column keeps the rows ascending.
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

#include "linalg/tuned/cuda/multiply.hpp"

namespace umov::sparse {
namespace {

using backend::Cuda;

struct CountColumns {
  const int* column;
  int* count;
  __device__ void operator()(index_t k) const { atomicAdd(count + column[k], 1); }
};

/// Numbers the entries, and writes down the row of each.
struct Spread {
  const int* start;
  int *row, *number;
  UMOV_HD void operator()(index_t i) const {
    for (int k = start[i]; k < start[i + 1]; ++k) row[k] = int(i), number[k] = k;
  }
};

template <class T>
struct Gather {
  const int *where, *row;
  const T* value;
  int* column;
  T* out;
  UMOV_HD void operator()(index_t k) const {
    const int from = where[k];
    column[k] = row[from];
    out[k] = value[from];
  }
};

/// Entry (i, j) of the transpose is found in row j, whose columns ascend.
template <class T>
struct FindEntry {
  CsrView<T> a;
  const int *start, *column;
  T* value;
  UMOV_HD void operator()(index_t i) const {
    for (int k = start[i]; k < start[i + 1]; ++k) {
      int low = a.start[column[k]], high = a.start[column[k] + 1] - 1;
      while (low < high) {
        const int middle = (low + high) / 2;
        if (a.column[middle] < int(i))
          low = middle + 1;
        else
          high = middle;
      }
      value[k] = a.value[low];
    }
  }
};

}  // namespace

template <class T>
Csr<Cuda, T> transpose(Cuda& dev, const CsrView<T>& a) {
  Csr<Cuda, T> t;
  t.rows = a.columns, t.columns = a.rows;
  int entries = 0;
  dev.download(&entries, a.start + a.rows, 1);
  t.start = dev.template allocate<int>(std::size_t(t.rows) + 1);
  dev.fill_zero(t.start.data(), std::size_t(t.rows) + 1);
  dev.for_each(entries, CountColumns{a.column, t.start.data()});
  backend::cuda::exclusive_scan(t.start.data(), index_t(t.rows) + 1, dev.stream());
  t.column = dev.template allocate<int>(entries);
  t.value = dev.template allocate<T>(entries);
  auto row = dev.template allocate<int>(entries), number = dev.template allocate<int>(entries);
  auto sorted = dev.template allocate<int>(entries), key = dev.template allocate<int>(entries);
  dev.for_each(a.rows, Spread{a.start, row.data(), number.data()});
  int bits = 1;
  while (bits < 31 && (index_t(1) << bits) < a.columns) ++bits;
  std::size_t bytes = 0;
  const auto sort = [&](void* work) {
    UMOV_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(work, bytes, a.column, key.data(), number.data(),
                                                    sorted.data(), entries, 0, bits, dev.stream()));
  };
  sort(nullptr);
  auto work = dev.template allocate<char>(std::max<std::size_t>(bytes, 1));
  sort(work.data());
  dev.for_each(entries, Gather<T>{sorted.data(), row.data(), a.value, t.column.data(), t.value.data()});
  return t;
}

template <class T>
void transpose_again(Cuda& dev, const CsrView<T>& a, Csr<Cuda, T>& t) {
  dev.for_each(t.rows, FindEntry<T>{a, t.start.data(), t.column.data(), t.value.data()});
}

template Csr<Cuda, float> transpose(Cuda&, const CsrView<float>&);
template Csr<Cuda, double> transpose(Cuda&, const CsrView<double>&);
template void transpose_again(Cuda&, const CsrView<float>&, Csr<Cuda, float>&);
template void transpose_again(Cuda&, const CsrView<double>&, Csr<Cuda, double>&);

}  // namespace umov::sparse
