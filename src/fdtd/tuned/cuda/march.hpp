// Passes of several steps over the whole grid: what they read and write, and their launch.
#pragma once

#include <cuda_runtime.h>

#include "fdtd/grid.hpp"
#include "fdtd/tuned/cuda/block_plan.hpp"

namespace umov::fdtd::tuned {

/// Id of cells that must not change: decay 1, drive 0. Tables of media have 256 entries {decay, drive}.
inline constexpr int frozen = 255;

/// A two-dimensional pass. Slots: TM: Ez, Hx, Hy with the ids of Ez; TE: Hz, Ex, Ey with the ids of Ex and
/// Ey. Ids are nullptr where uniform.
struct MarchPlane {
  const float* in[3];
  float* out[3];
  const std::uint8_t* id[2];
  std::uint32_t uniform_id[2];  ///< four times the same byte
  const float2* medium;
  float magnetic_drive;
  index_t base, pitch;
  int nx, ny;
  int tiles = 0, rows = 0;  ///< set by the launch: strips along x, rows a warp writes
};

/// Share of one component in the layers at one wall: psi before and after. Cell (i, j, k) of the grid lies at
/// i + pitch j + plane k, with the strides of its axis.
struct MarchLayer {
  const float* in = nullptr;
  float* out = nullptr;
};

/// A three-dimensional pass, by component.
struct MarchVolume {
  const float* in[6];
  float* out[6];
  const std::uint8_t* id[3];
  std::uint32_t uniform_id[3];
  const float2* medium;
  float magnetic_drive;
  index_t base, pitch, plane;
  int n[3];
  MarchLayer layer[6][2][2];  ///< [component][term of its curl][low, high]
  index_t layer_pitch[3], layer_plane[3];
  /// Layers lie before low_end and from high_begin[magnetic, electric] on.
  int low_end[3], high_begin[2][3];
  /// [magnetic, electric][axis]: b, c, stretch at all places along the axis, zeros outside of the layers
  const float* profile[2][3];
  index_t profile_length;                  ///< of each of the three
  int tiles_x, tiles, begin, end, planes;  ///< see MarchPlan
  const int* order;
};

/// Rows of the columns that this GPU can march through: column_rows, where the kernels have the registers;
/// else 0.
int rows_of_columns(const Limits&);
/// The columns of a grid, not cut across z yet.
MarchPlan plan_columns(const MarchExtent&, const Limits&);

/// Two-dimensional passes exist for 4 and 8 steps.
bool can_march(Mode, int steps, const Limits&);
void launch(Mode, int steps, MarchPlane, const Limits&, cudaStream_t);
/// The next so many blocks of the order in MarchVolume.
void launch(const MarchVolume&, const MarchPlan&, int blocks, cudaStream_t);

}  // namespace umov::fdtd::tuned
