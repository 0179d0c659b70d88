// The variant of a sparse product on a GPU, in words for a log.
#pragma once

#include <string>

#include "backend/cuda/cuda.hpp"
#include "linalg/sparse/multiply.hpp"
#include "linalg/tuned/cuda/tables.hpp"

namespace umov::sparse {

template <>
inline std::string product_variant(const backend::Cuda& dev) {
  const int columns = gpu::largest_table(sizeof(int) + sizeof(double), dev.limits());
  return "rows of products in tables of up to " + std::to_string(columns) + " columns";
}

}  // namespace umov::sparse
