// Small dense algebra of block Krylov methods: Gram matrices of a few long vectors and what follows from
// them.
#pragma once

#include <complex>
#include <span>
#include <vector>

namespace umov::krylov {

/// A dense complex matrix of a block's few rows and columns, by columns.
struct BlockMatrix {
  using Number = std::complex<double>;
  int rows = 0, columns = 0;
  std::vector<Number> value;

  BlockMatrix() = default;
  BlockMatrix(int r, int c) : rows(r), columns(c), value(std::size_t(r) * c) {}
  static BlockMatrix identity(int n);
  Number& operator()(int i, int j) { return value[std::size_t(j) * rows + i]; }
  const Number& operator()(int i, int j) const { return value[std::size_t(j) * rows + i]; }
};

BlockMatrix product(const BlockMatrix& a, const BlockMatrix& b);
/// Of each column.
std::vector<double> norms(const BlockMatrix&);
bool finite(const BlockMatrix&);

/// Vectors R = V G in another basis: V becomes V `turn` with orthonormal columns, G becomes `rest`.
struct BlockBasis {
  BlockMatrix turn;  ///< [vectors before][vectors after]
  BlockMatrix rest;  ///< [vectors after][columns]
};

/// Of right-hand sides R with R^H R = `gram`, without directions that are nothing: those below `noise` (or
/// what a Gram matrix can tell, 3e-8) of the longest where all columns have unit length, and those whose
/// parts in the columns, added up in squares over the goals, are below `drop`. What is left out stays in the
/// residual. No direction at all comes from an R below its goals.
BlockBasis independent_basis(const BlockMatrix& gram, std::span<const double> goals, double drop,
                             double noise);

/// V G, V^H V = `gram`, with as many directions as before, whatever their length; those of no length stay so.
BlockBasis full_basis(const BlockMatrix& gram, const BlockMatrix& g);

/// T with V T orthonormal (directions below some 1e-7 of the longest excepted), V^H V = `gram`.
BlockMatrix orthonormal_turn(const BlockMatrix& gram);

/// The shortest solution of a x = b; directions of a below 1e-13 of its largest are left out. False where
/// there is no number in it, or nothing but such directions in a.
bool solve_block(const BlockMatrix& a, const BlockMatrix& b, BlockMatrix& x);

}  // namespace umov::krylov
