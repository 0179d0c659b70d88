// Products and transposes of sparse matrices on a GPU: the twins of linalg/sparse/multiply.hpp.
#pragma once

#include "backend/cuda/cuda.hpp"
#include "linalg/sparse/csr.hpp"

namespace umov::sparse {

/// C = A B, columns ascending. Sums are formed in the order of A's entries: the same bits every time.
/// Throws MachineFailure past 2^31 - 1 entries.
template <class T>
Csr<backend::Cuda, T> multiply(backend::Cuda&, const CsrView<T>& a, const CsrView<T>& b);

/// The values of C = A B once more, on the pattern that multiply found.
template <class T>
void multiply_again(backend::Cuda&, const CsrView<T>& a, const CsrView<T>& b, Csr<backend::Cuda, T>& c);

/// A^T, columns ascending.
template <class T>
Csr<backend::Cuda, T> transpose(backend::Cuda&, const CsrView<T>& a);

/// The values of a transpose whose pattern stands. Queued.
template <class T>
void transpose_again(backend::Cuda&, const CsrView<T>& a, Csr<backend::Cuda, T>& t);

}  // namespace umov::sparse
