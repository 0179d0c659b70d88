// The smoothed prolongation on a GPU: the twin of linalg/amg/prolongation.hpp.
#pragma once

#include "backend/cuda/cuda.hpp"
#include "linalg/amg/prolongation.hpp"

namespace umov::amg {

template <class T>
sparse::Csr<backend::Cuda, T> smoothed_prolongation(backend::Cuda&, const RowSmoothing<T>&,
                                                    const int* of_node, int aggregates);

}  // namespace umov::amg
