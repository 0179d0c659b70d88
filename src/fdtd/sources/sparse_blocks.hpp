// Sparse matrices from entries and from blocks, of real or complex numbers.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "core/types.hpp"

namespace umov::fdtd {

template <class T>
using SparseOf = Eigen::SparseMatrix<T>;
template <class T>
using TripletOf = Eigen::Triplet<T>;
using Sparse = SparseOf<double>;
using Triplet = TripletOf<double>;

/// Entries at one place are added up.
template <class T>
SparseOf<T> matrix(int rows, int columns, const std::vector<TripletOf<T>>& entries);

/// Puts blocks side by side: [row][column], those of a row of like height, those of a column of like width.
template <class T>
SparseOf<T> assemble(const std::vector<std::vector<SparseOf<T>>>& blocks);

}  // namespace umov::fdtd
