// As of a GPU with registers enough.
#pragma once

#include "backend/cuda/limits.hpp"

namespace umov::backend::cuda {

template <class Kernel>
bool fits(Kernel*, int threads, std::size_t bytes, const Limits& l) {
  return block_fits({}, threads, bytes, l);
}
template <class Kernel>
void allow_shared(Kernel*, std::size_t) {}

}  // namespace umov::backend::cuda
