// Sparse matrices from entries and from blocks.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

namespace umov::fdtd {

using Sparse = Eigen::SparseMatrix<double>;
using Triplet = Eigen::Triplet<double>;

/// Entries at one place are added up.
Sparse matrix(int rows, int columns, const std::vector<Triplet>& entries);

/// Puts blocks side by side: [row][column], those of a row of like height, those of a column of like width.
Sparse assemble(const std::vector<std::vector<Sparse>>& blocks);

}  // namespace umov::fdtd
