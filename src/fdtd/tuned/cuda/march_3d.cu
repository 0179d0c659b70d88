// Plan and launch of the three-dimensional passes.
#include <algorithm>
#include <numeric>
#include <queue>

#include "backend/cuda/occupancy.hpp"
#include "fdtd/tuned/cuda/march_3d.cuh"

namespace umov::fdtd::tuned {
namespace {

/// Work of a plane of a column, in planes without layers; measured on an H200.
constexpr double layers_of_axis = 1.2;
/// What a block costs beside its planes: the planes around its own, and the first loads.
constexpr double start_of_block = 2 * volume_steps + 1.5;

struct Cutting {
  MarchPlan plan;
  double time = 0;
};

/// Work of every block of a plan, and when the last is done if each goes to the multiprocessor that is free
/// first.
Cutting cut(MarchPlan plan, const Int3& n, const Int3& low, const Int3& high, int multiprocessors) {
  const int cuts = (n[2] + plan.planes - 1) / plan.planes, tiles = plan.tiles_x * plan.tiles_y;
  std::vector<double> work(tiles * cuts);
  for (int b = 0; b < int(work.size()); ++b) {
    const int x = b % plan.tiles_x * written_x - margin_x;
    const int y = b / plan.tiles_x % plan.tiles_y * (plan.rows - 2 * volume_steps);
    const int first = b / tiles * plan.planes, last = std::min(first + plan.planes, n[2]);
    double plane = 1;
    if (x < low[0] || x + tile_x > high[0]) plane += layers_of_axis;
    if (y < low[1] || y + plan.rows > high[1]) plane += layers_of_axis;
    const int in_layers = std::max(0, low[2] - first) + std::max(0, last - std::max(first, high[2]));
    work[b] = plane * (last - first + start_of_block) + layers_of_axis * in_layers;
  }
  plan.order.resize(work.size());
  std::iota(plan.order.begin(), plan.order.end(), 0);
  std::stable_sort(plan.order.begin(), plan.order.end(), [&](int a, int b) { return work[a] > work[b]; });
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
  for (int m = 0; m < multiprocessors; ++m) free_at.push(0);
  double end = 0;
  for (const int b : plan.order) {
    const double done = free_at.top() + work[b];
    free_at.pop();
    free_at.push(done);
    end = std::max(end, done);
  }
  return {std::move(plan), end};
}

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
void launch_columns(const MarchVolume& p, const MarchPlan& plan, cudaStream_t stream) {
  constexpr int bytes = int(sizeof(march::Column<Rows>));
  static_assert(bytes == column_bytes(Rows), "the choice goes by another size");
  backend::cuda::allow_shared(march_volume<Rows, PsiInShared>, bytes);
  march_volume<Rows, PsiInShared><<<unsigned(plan.order.size()), march_threads(Rows), bytes, stream>>>(p);
}

}  // namespace

int rows_of_columns(const Limits& l) {
  const int rows = column_rows(l);
  if (rows == tall_rows && can_launch<tall_rows, true>(l) && can_launch<tall_rows, false>(l))
    return tall_rows;
  return rows > 0 && can_launch<short_rows, false>(l) ? short_rows : 0;
}

MarchPlan plan_volume(const Int3& n, const Int3& low, const Int3& high, const Limits& limits) {
  MarchPlan plan;
  plan.rows = rows_of_columns(limits);
  plan.tiles_x = (n[0] + written_x - 1) / written_x;
  // the first and the last column along y write up to the wall, so they need no margin there
  const int margin = 2 * volume_steps, written_y = plan.rows - margin;
  plan.tiles_y = n[1] <= plan.rows ? 1 : 1 + (n[1] - plan.rows + written_y - 1) / written_y;
  const int lanes = most_in_layers(plan.tiles_x, written_x, -margin_x, tile_x, 4, n[0], low[0], high[0]);
  const int rows = most_in_layers(plan.tiles_y, written_y, 0, plan.rows, 1, n[1], low[1], high[1]);
  plan.psi_in_shared = lanes * plan.rows + rows * lanes_x <= march::psi_slots;
  Cutting best;
  for (int cuts = 1; cuts <= std::clamp(n[2] / 16, 1, 32); ++cuts) {
    plan.planes = (n[2] + cuts - 1) / cuts;
    Cutting c = cut(plan, n, low, high, limits.processors);
    if (best.plan.order.empty() || c.time < best.time) best = std::move(c);
  }
  return best.plan;
}

void launch(const MarchVolume& p, const MarchPlan& plan, cudaStream_t stream) {
  if (plan.rows == short_rows)
    launch_columns<short_rows, false>(p, plan, stream);
  else if (plan.psi_in_shared)
    launch_columns<tall_rows, true>(p, plan, stream);
  else
    launch_columns<tall_rows, false>(p, plan, stream);
  UMOV_CUDA_CHECK(cudaGetLastError());
}

}  // namespace umov::fdtd::tuned
