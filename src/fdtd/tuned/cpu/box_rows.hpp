// Means over boxes of cells, a row of boxes at a time: what BoxMean gives, with sums that fill vectors.
#pragma once

#include <algorithm>

#include "core/types.hpp"
#include "fdtd/kernels/box_mean.hpp"

namespace umov::fdtd {

/// Twin of BoxMean on real fields in host memory. The cells of a row of boxes are added up by columns first,
/// along contiguous rows, and then the columns of each box: another order of the sums in double.
template <class T>
class BoxRows {
 public:
  BoxRows(const BoxMean<T>& mean, const Int3& size) : m_(mean), size_(size) {}
  int rows() const { return size_[1] * size_[2]; }

  void operator()(int row) const {
    const int j = row % size_[1], k = row / size_[1];
    float* const out = m_.out + index_t(size_[0]) * row;
    for (int first = 0, last; first < size_[0]; first = last) {
      // as many boxes as the columns have room for, one at least
      last = first + 1;
      while (last < size_[0] && m_.edges[0][last + 1] - m_.edges[0][first] <= most) ++last;
      stretch(out, first, last, j, k);
    }
  }

 private:
  static constexpr int most = 1024;  ///< columns at once: 8 KiB, which stay in the nearest cache

  void stretch(float* out, int first, int last, int j, int k) const {
    double column[most];
    const int* const x = m_.edges[0];
    const int begin = x[first], width = std::min(x[last] - begin, most);
    std::fill_n(column, width, 0.0);
    const int y0 = m_.edges[1][j], y1 = m_.edges[1][j + 1], z0 = m_.edges[2][k], z1 = m_.edges[2][k + 1];
    for (int c = 0; c < m_.count; ++c)
      for (int z = z0; z < z1; ++z)
        for (int y = y0; y < y1; ++y) {
          const T* const row = m_.fields[c] + (m_.base + m_.pitch * y + m_.plane * z);
          for (int from = begin; from < x[last]; from += width)  // a box may be wider than the columns
            add(column, row + from, std::min(width, x[last] - from));
        }
    const double high = double(y1 - y0) * (z1 - z0);
    if (last - first == 1) {
      double sum = 0;
      for (int n = 0; n < width; ++n) sum += column[n];
      out[first] = float(sum / (double(x[last] - begin) * high));
      return;
    }
    // Boxes have `narrow` cells or one more; products by two inverses for a division each.
    const int narrow = (m_.edges[0][size_[0]] - m_.edges[0][0]) / size_[0];
    const double inverse[2] = {1 / (narrow * high), 1 / ((narrow + 1) * high)};
    if (narrow == 1) {
      for (int i = first; i < last; ++i) {
        const int from = x[i] - begin, more = x[i + 1] - x[i] - 1;
        out[i] = float((column[from] + (more ? column[from + 1] : 0.0)) * inverse[more]);
      }
      return;
    }
    for (int i = first; i < last; ++i) {
      const int from = x[i] - begin, to = x[i + 1] - begin;
      double sum = 0;
      for (int n = from; n < to; ++n) sum += column[n];
      out[i] = float(sum * inverse[to - from - narrow]);
    }
  }

  void add(double* column, const T* row, int n) const {
    if (m_.squares)
      for (int i = 0; i < n; ++i) column[i] += double(row[i]) * double(row[i]);
    else
      for (int i = 0; i < n; ++i) column[i] += double(row[i]);
  }

  BoxMean<T> m_;
  Int3 size_;
};

}  // namespace umov::fdtd
