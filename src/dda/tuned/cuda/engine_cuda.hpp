// The dipole engines of the cuda module, one translation unit each.
#pragma once

#include <memory>

#include "backend/cuda/cuda.hpp"
#include "dda/engine.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_cuda_engine_single(const backend::Cuda::Options&);
std::unique_ptr<Engine> make_cuda_engine_double(const backend::Cuda::Options&);

}  // namespace umov::dda
