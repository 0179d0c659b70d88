// Launch of the two-dimensional passes.
#include <algorithm>

#include "backend/cuda/occupancy.hpp"
#include "core/error.hpp"
#include "fdtd/tuned/cuda/march_2d.cuh"

namespace umov::fdtd::tuned {
namespace {

/// Rows a warp writes: as many warps as run at once, or a few times as many, so that none waits for long.
template <Mode M, int Steps>
void launch_steps(MarchPlane p, const Limits& limits, cudaStream_t stream) {
  const int resident = backend::cuda::resident(march_plane<M, Steps>, 32 * march_warps, 0, limits);
  const int at_once = resident * limits.processors * march_warps;
  p.tiles = (p.nx + march_width(Steps) - 1) / march_width(Steps);
  const int strips = std::max(1, at_once / p.tiles);
  // with fewer rows than four times the steps, half the work would be done by neighbours too
  p.rows = std::max((p.ny + strips - 1) / strips, std::min(p.ny, 4 * Steps));
  const int warps = p.tiles * ((p.ny + p.rows - 1) / p.rows);
  march_plane<M, Steps><<<(warps + march_warps - 1) / march_warps, 32 * march_warps, 0, stream>>>(p);
  UMOV_CUDA_CHECK(cudaGetLastError());
}

/// Calls f(mode, steps) with constants.
template <class F>
auto with_pass(Mode mode, int steps, const F& f) {
  constexpr std::integral_constant<Mode, Mode::tm> tm;
  constexpr std::integral_constant<Mode, Mode::te> te;
  if (mode == Mode::tm && steps == 8) return f(tm, std::integral_constant<int, 8>{});
  if (mode == Mode::tm && steps == 4) return f(tm, std::integral_constant<int, 4>{});
  if (mode == Mode::te && steps == 8) return f(te, std::integral_constant<int, 8>{});
  if (mode == Mode::te && steps == 4) return f(te, std::integral_constant<int, 4>{});
  throw MachineFailure("no pass of this many steps was built");
}

}  // namespace

bool can_march(Mode mode, int steps, const Limits& limits) {
  return with_pass(mode, steps, [&](auto m, auto s) {
    return backend::cuda::fits(march_plane<m.value, s.value>, 32 * march_warps, 0, limits);
  });
}

void launch(Mode mode, int steps, MarchPlane p, const Limits& limits, cudaStream_t stream) {
  with_pass(mode, steps, [&](auto m, auto s) { launch_steps<m.value, s.value>(p, limits, stream); });
}

}  // namespace umov::fdtd::tuned
