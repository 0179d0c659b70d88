// Sparse times sparse on host memory: transposes and row-wise products with sorted columns.
#pragma once

#include <omp.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "backend/cpu/cpu.hpp"
#include "backend/serial/serial.hpp"
#include "core/error.hpp"
#include "linalg/sparse/csr.hpp"

namespace umov::sparse {

inline int threads_of(const backend::Serial&) { return 1; }
inline int threads_of(const backend::Cpu& dev) { return dev.threads(); }

/// Devices whose arrays the host can touch.
template <class Device>
concept OnHost = requires(const Device& dev) {
  threads_of(dev);
};

/// How products run on this device, for the log: "" where there is one way only; a device with several
/// specialises it.
template <class Device>
std::string product_variant(const Device&) {
  return "";
}

inline void require_index_range(index_t entries) {
  if (entries > 2147483647)
    throw MachineFailure("a matrix of " + std::to_string(entries) +
                         " entries (row starts are 32-bit numbers); use a coarser mesh");
}

/// A^T, columns ascending. Entries keep their order of rows, so the result has one form.
template <OnHost Device, class T>
Csr<Device, T> transpose(Device& dev, const CsrView<T>& a) {
  const int entries = a.start[a.rows];
  Csr<Device, T> t;
  t.rows = a.columns, t.columns = a.rows;
  t.start = dev.template allocate<int>(a.columns + 1);
  t.column = dev.template allocate<int>(entries);
  t.value = dev.template allocate<T>(entries);
  std::vector<int> next(a.columns + 1, 0);
  for (int k = 0; k < entries; ++k) ++next[a.column[k]];
  dev.exclusive_scan(next.data(), a.columns + 1);
  std::copy(next.begin(), next.end(), t.start.data());
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      const int to = next[a.column[k]]++;
      t.column.data()[to] = i;
      t.value.data()[to] = a.value[k];
    }
  return t;
}

/// Values of a transpose whose pattern stands.
template <OnHost Device, class T>
void transpose_again(Device&, const CsrView<T>& a, Csr<Device, T>& t) {
  std::vector<int> next(t.start.data(), t.start.data() + t.rows);
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) t.value.data()[next[a.column[k]]++] = a.value[k];
}

namespace detail {

/// Rows [first, last) of A B, before they are put together.
template <class T>
struct Stretch {
  std::vector<int> length, column;
  std::vector<T> value;
};

/// Gustavson 1978, ACM TOMS 4, 250: a row of C is the sum of rows of B, kept in a dense row `sum`; `seen`
/// says which of its places belong to the row at hand.
template <class T>
void multiply_stretch(const CsrView<T>& a, const CsrView<T>& b, int first, int last, std::vector<int>& seen,
                      std::vector<T>& sum, Stretch<T>& out) {
  for (int i = first; i < last; ++i) {
    const std::size_t begin = out.column.size();
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      const T v = a.value[k];
      const int row = a.column[k];
      for (int l = b.start[row]; l < b.start[row + 1]; ++l) {
        const int j = b.column[l];
        if (seen[j] != i) {
          seen[j] = i;
          sum[j] = v * b.value[l];
          out.column.push_back(j);
        } else {
          sum[j] += v * b.value[l];
        }
      }
    }
    std::sort(out.column.begin() + begin, out.column.end());
    for (std::size_t k = begin; k < out.column.size(); ++k) out.value.push_back(sum[out.column[k]]);
    out.length.push_back(int(out.column.size() - begin));
  }
}

/// Stretches of `stretch` rows each, one after another.
template <class T, class Device>
Csr<Device, T> join(Device& dev, std::vector<Stretch<T>>& part, int stretch, int rows, int columns) {
  const int stretches = int(part.size());
  index_t entries = 0;
  for (const auto& p : part) entries += index_t(p.column.size());
  require_index_range(entries);
  Csr<Device, T> c;
  c.rows = rows, c.columns = columns;
  c.start = dev.template allocate<int>(rows + 1);
  c.column = dev.template allocate<int>(entries);
  c.value = dev.template allocate<T>(entries);
  int at = 0;
  for (int s = 0; s < stretches; ++s)
    for (int i = 0; i < int(part[s].length.size()); ++i)
      c.start.data()[s * stretch + i] = at, at += part[s].length[i];
  c.start.data()[rows] = at;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_of(dev)) if (stretches > 1)
  for (int s = 0; s < stretches; ++s) {
    const int to = c.start.data()[s * stretch];
    std::copy(part[s].column.begin(), part[s].column.end(), c.column.data() + to);
    std::copy(part[s].value.begin(), part[s].value.end(), c.value.data() + to);
    part[s] = {};
  }
  return c;
}

}  // namespace detail

/// C = A B with ascending columns; the same bits for any number of threads. Zeros that arise stay entries.
template <OnHost Device, class T>
Csr<Device, T> multiply(Device& dev, const CsrView<T>& a, const CsrView<T>& b) {
  constexpr int stretch = 2048;
  const int stretches = (a.rows + stretch - 1) / stretch;
  std::vector<detail::Stretch<T>> part(stretches);
#pragma omp parallel num_threads(threads_of(dev)) if (stretches > 1)
  {
    std::vector<int> seen(b.columns, -1);
    std::vector<T> sum(b.columns);
#pragma omp for schedule(dynamic, 1)
    for (int s = 0; s < stretches; ++s)
      detail::multiply_stretch(a, b, s * stretch, std::min(a.rows, (s + 1) * stretch), seen, sum, part[s]);
  }
  return detail::join<T>(dev, part, stretch, a.rows, b.columns);
}

/// The values of C = A B when its pattern stands.
template <OnHost Device, class T>
void multiply_again(Device& dev, const CsrView<T>& a, const CsrView<T>& b, Csr<Device, T>& c) {
  const int* start = c.start.data();
  const int* column = c.column.data();
  T* value = c.value.data();
#pragma omp parallel num_threads(threads_of(dev)) if (a.rows > 2048)
  {
    std::vector<T> sum(b.columns, T(0));
#pragma omp for schedule(dynamic, 1024)
    for (int i = 0; i < a.rows; ++i) {
      for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
        const T v = a.value[k];
        const int row = a.column[k];
        for (int l = b.start[row]; l < b.start[row + 1]; ++l) sum[b.column[l]] += v * b.value[l];
      }
      for (int k = start[i]; k < start[i + 1]; ++k) value[k] = sum[column[k]], sum[column[k]] = 0;
    }
  }
}

}  // namespace umov::sparse
