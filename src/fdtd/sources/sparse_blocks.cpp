#include "fdtd/sources/sparse_blocks.hpp"

namespace umov::fdtd {

template <class T>
SparseOf<T> matrix(int rows, int columns, const std::vector<TripletOf<T>>& entries) {
  SparseOf<T> m(rows, columns);
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

template <class T>
SparseOf<T> assemble(const std::vector<std::vector<SparseOf<T>>>& blocks) {
  std::vector<TripletOf<T>> all;
  int row = 0, columns = 0;
  for (const auto& line : blocks) {
    int column = 0;
    for (const SparseOf<T>& b : line) {
      for (int k = 0; k < b.outerSize(); ++k)
        for (typename SparseOf<T>::InnerIterator it(b, k); it; ++it)
          all.emplace_back(row + int(it.row()), column + int(it.col()), it.value());
      column += int(b.cols());
    }
    columns = column;
    row += int(line.front().rows());
  }
  return matrix<T>(row, columns, all);
}

template SparseOf<double> matrix(int, int, const std::vector<TripletOf<double>>&);
template SparseOf<cplx> matrix(int, int, const std::vector<TripletOf<cplx>>&);
template SparseOf<double> assemble(const std::vector<std::vector<SparseOf<double>>>&);
template SparseOf<cplx> assemble(const std::vector<std::vector<SparseOf<cplx>>>&);

}  // namespace umov::fdtd
