// Plan and launch of the three-dimensional passes.
#include <algorithm>

#include "backend/cuda/occupancy.hpp"
#include "fdtd/tuned/cuda/march_3d.cuh"

namespace umov::fdtd::tuned {
namespace {

/// Most places of [begin, begin + size) in steps of `step` that lie in layers, over all columns of an axis.
int most_in_layers(int columns, int stride, int begin, int size, int step, int n, int low, int high) {
  int most = 0;
  for (int c = 0; c < columns; ++c) {
    int in_layers = 0;
    for (int v = begin + c * stride; v < begin + c * stride + size; v += step)
      in_layers += v >= 0 && v < n && (v < low || v + step > high);
    most = std::max(most, in_layers);
  }
  return most;
}

template <int Rows, bool PsiInShared>
bool can_launch(const Limits& l) {
  return backend::cuda::fits(march_volume<Rows, PsiInShared>, march_threads(Rows),
                             sizeof(march::Column<Rows>), l);
}

template <int Rows, bool PsiInShared>
void launch_columns(const MarchVolume& p, int blocks, cudaStream_t stream) {
  constexpr int bytes = int(sizeof(march::Column<Rows>));
  static_assert(bytes == column_bytes(Rows), "the choice goes by another size");
  backend::cuda::allow_shared(march_volume<Rows, PsiInShared>, bytes);
  backend::cuda::launch(stream, unsigned(blocks), march_threads(Rows), bytes, march_volume<Rows, PsiInShared>,
                        p);
}

}  // namespace

int rows_of_columns(const Limits& l) {
  const int rows = column_rows(l);
  if (rows == tall_rows && can_launch<tall_rows, true>(l) && can_launch<tall_rows, false>(l))
    return tall_rows;
  return rows > 0 && can_launch<short_rows, false>(l) ? short_rows : 0;
}

MarchPlan plan_columns(const MarchExtent& e, const Limits& limits) {
  const auto& [n, low, high, begin, end] = e;
  MarchPlan plan;
  plan.rows = rows_of_columns(limits);
  plan.tiles_x = (n[0] + written_x - 1) / written_x;
  // the first and the last column along y write up to the wall, so they need no margin there
  const int margin = 2 * volume_steps, written_y = plan.rows - margin;
  plan.tiles_y = n[1] <= plan.rows ? 1 : 1 + (n[1] - plan.rows + written_y - 1) / written_y;
  const int lanes = most_in_layers(plan.tiles_x, written_x, -margin_x, tile_x, 4, n[0], low[0], high[0]);
  const int rows = most_in_layers(plan.tiles_y, written_y, 0, plan.rows, 1, n[1], low[1], high[1]);
  plan.psi_in_shared = lanes * plan.rows + rows * lanes_x <= march::psi_slots;
  return plan;
}

void launch(const MarchVolume& p, const MarchPlan& plan, int blocks, cudaStream_t stream) {
  if (blocks == 0) return;
  if (plan.rows == short_rows)
    launch_columns<short_rows, false>(p, blocks, stream);
  else if (plan.psi_in_shared)
    launch_columns<tall_rows, true>(p, blocks, stream);
  else
    launch_columns<tall_rows, false>(p, blocks, stream);
}

}  // namespace umov::fdtd::tuned
