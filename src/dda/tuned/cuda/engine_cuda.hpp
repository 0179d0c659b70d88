// The dipole engines of the cuda module, one translation unit each.
#pragma once

#include <memory>

#include "backend/cuda/cuda.hpp"
#include "dda/solver/inner_solver.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_cuda_engine_single(const backend::Cuda::Options&);
std::unique_ptr<Engine> make_cuda_engine_double(const backend::Cuda::Options&);
/// Of the slab of one of EngineRequest::ranks; the first argument says the precision.
std::unique_ptr<Engine> make_cuda_slab_engine(float, const EngineRequest&, const backend::Cuda::Options&);
std::unique_ptr<Engine> make_cuda_slab_engine(double, const EngineRequest&, const backend::Cuda::Options&);
/// The twin in float of a double engine.
std::unique_ptr<InnerSolver<backend::Cuda>> make_cuda_inner(backend::Cuda&);

}  // namespace umov::dda
