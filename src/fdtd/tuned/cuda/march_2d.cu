// Launch of the two-dimensional passes.
#include <algorithm>

#include "backend/cuda/check.hpp"
#include "core/error.hpp"
#include "fdtd/tuned/cuda/march_2d.cuh"

namespace umov::fdtd::tuned {
namespace {

/// Rows a warp writes: as many warps as run at once, or a few times as many, so that none waits for long.
template <Mode M, int Steps>
void launch_steps(MarchPlane p, int multiprocessors, cudaStream_t stream) {
  int resident = 0;
  UMOV_CUDA_CHECK(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, march_plane<M, Steps>, 32 * march_warps, 0));
  const int at_once = resident * multiprocessors * march_warps;
  p.tiles = (p.nx + march_width(Steps) - 1) / march_width(Steps);
  const int strips = std::max(1, at_once / p.tiles);
  // with fewer rows than four times the steps, half the work would be done by neighbours too
  p.rows = std::max((p.ny + strips - 1) / strips, std::min(p.ny, 4 * Steps));
  const int warps = p.tiles * ((p.ny + p.rows - 1) / p.rows);
  march_plane<M, Steps><<<(warps + march_warps - 1) / march_warps, 32 * march_warps, 0, stream>>>(p);
  UMOV_CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void launch(Mode mode, int steps, MarchPlane p, int multiprocessors, cudaStream_t stream) {
  if (mode == Mode::tm && steps == 8) return launch_steps<Mode::tm, 8>(p, multiprocessors, stream);
  if (mode == Mode::tm && steps == 4) return launch_steps<Mode::tm, 4>(p, multiprocessors, stream);
  if (mode == Mode::te && steps == 8) return launch_steps<Mode::te, 8>(p, multiprocessors, stream);
  if (mode == Mode::te && steps == 4) return launch_steps<Mode::te, 4>(p, multiprocessors, stream);
  throw MachineFailure("no pass of this many steps was built");
}

}  // namespace umov::fdtd::tuned
