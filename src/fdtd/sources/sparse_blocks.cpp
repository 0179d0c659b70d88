#include "fdtd/sources/sparse_blocks.hpp"

namespace umov::fdtd {

Sparse matrix(int rows, int columns, const std::vector<Triplet>& entries) {
  Sparse m(rows, columns);
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

Sparse assemble(const std::vector<std::vector<Sparse>>& blocks) {
  std::vector<Triplet> all;
  int row = 0, columns = 0;
  for (const auto& line : blocks) {
    int column = 0;
    for (const Sparse& b : line) {
      for (int k = 0; k < b.outerSize(); ++k)
        for (Sparse::InnerIterator it(b, k); it; ++it)
          all.emplace_back(row + int(it.row()), column + int(it.col()), it.value());
      column += int(b.cols());
    }
    columns = column;
    row += int(line.front().rows());
  }
  return matrix(row, columns, all);
}

}  // namespace umov::fdtd
