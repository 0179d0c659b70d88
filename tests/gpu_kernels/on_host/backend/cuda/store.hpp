// Stores of a GPU, on a processor.
#pragma once

#include <cstring>

#include "backend/cuda/words.hpp"

namespace umov::backend::cuda {

inline void store(float* to, float4 v) { std::memcpy(to, &v, sizeof v); }

}  // namespace umov::backend::cuda
