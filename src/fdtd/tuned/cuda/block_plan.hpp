// How a grid is cut into the blocks of a three-dimensional pass, and in which order they go: pure functions,
// tested without a GPU.
#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "fdtd/border.hpp"
#include "fdtd/planes.hpp"
#include "fdtd/tuned/cuda/cell_set.hpp"
#include "fdtd/tuned/cuda/choice.hpp"

namespace umov::fdtd::tuned {

inline constexpr int volume_steps = 2;  ///< of a three-dimensional pass
/// Columns of 64 x 32 cells, of which 48 x 28 are written: runs along x begin and end at multiples of 64
/// bytes, without which a quarter of the bandwidth is lost. Short ones have 64 x 16 cells.
inline constexpr int tile_x = 64, margin_x = 8, written_x = tile_x - 2 * margin_x;

/// What is cut: cells, where layers end and begin (as in MarchVolume, H), and the planes that are stepped.
struct MarchExtent {
  Int3 cells{1, 1, 1}, low_end{0, 0, 0}, high_begin{0, 0, 0};
  int begin = 0, end = 0;
};

/// Columns of cells, and `planes` of them at a time. Block b is tile_x + tiles_x (tile_y + tiles_y cut).
struct MarchPlan {
  int rows = tall_rows;  ///< of a column
  int tiles_x = 0, tiles_y = 0;
  int begin = 0, end = 0, planes = 0;
  bool psi_in_shared = true;  ///< psi of all columns fits there between the steps

  int tiles() const { return tiles_x * tiles_y; }
  int blocks() const { return tiles() * ((end - begin + planes - 1) / planes); }
  int first_plane(int block) const { return begin + block / tiles() * planes; }
  int last_plane(int block) const { return std::min(first_plane(block) + planes, end); }
};

/// Blocks, those with most to do first, in two launches: the `early` ones, then the rest.
struct BlockOrder {
  std::vector<int> order;
  int early = 0;
  double time = 0;  ///< foretold, in planes of one block; what travels included
};

/// Work of a plane of a column, in planes without layers; measured on an H200.
inline constexpr double layers_of_axis = 1.2;
/// What a block costs beside its planes: the planes around its own, and the first loads.
inline constexpr double start_of_block = 2 * volume_steps + 1.5;
/// A second launch begins when the first has ended: multiprocessors that were done a little earlier wait.
inline constexpr double start_of_launch = 3;
/// Planes that one multiprocessor steps of as many columns as it has while one plane of the grid travels:
/// 0.23 ms for two planes of 1024 x 1024 cells, counted from what was measured on two H200 with NVLink.
inline constexpr double travel_of_plane = 5.3;

inline std::vector<double> work_of_blocks(const MarchPlan& plan, const MarchExtent& e) {
  std::vector<double> work(std::size_t(plan.blocks()));
  for (int b = 0; b < int(work.size()); ++b) {
    const int x = b % plan.tiles_x * written_x - margin_x;
    const int y = b / plan.tiles_x % plan.tiles_y * (plan.rows - 2 * volume_steps);
    const int first = plan.first_plane(b), last = plan.last_plane(b);
    double plane = 1;
    if (x < e.low_end[0] || x + tile_x > e.high_begin[0]) plane += layers_of_axis;
    if (y < e.low_end[1] || y + plan.rows > e.high_begin[1]) plane += layers_of_axis;
    const int in_layers = std::max(0, std::min(last, e.low_end[2]) - first) +
                          std::max(0, last - std::max(first, e.high_begin[2]));
    work[std::size_t(b)] = plane * (last - first + start_of_block) + layers_of_axis * in_layers;
  }
  return work;
}

/// Multiprocessors that take one block after the other, whichever is free first.
class Processors {
 public:
  explicit Processors(int count) {
    for (int m = 0; m < count; ++m) free_at_.push(0);
  }
  double next() const { return free_at_.top(); }
  double end() const { return end_; }
  void take(double work) {
    const double done = free_at_.top() + work;
    free_at_.pop();
    free_at_.push(done);
    end_ = std::max(end_, done);
  }

 private:
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at_;
  double end_ = 0;
};

/// The early blocks, some others with which multiprocessors that have nothing to do otherwise fill their
/// time, and the rest, beside which `travel` passes: one block at least, unless all are early.
inline BlockOrder order_blocks(const std::vector<double>& work, const std::vector<char>& early,
                               int processors, double travel) {
  const auto work_of = [&](int b) { return work[std::size_t(b)]; };
  std::vector<int> first, rest;
  for (int b = 0; b < int(work.size()); ++b) (early[std::size_t(b)] ? first : rest).push_back(b);
  const auto more_work = [&](int a, int b) { return work_of(a) > work_of(b); };
  std::ranges::stable_sort(first, more_work);
  std::ranges::stable_sort(rest, more_work);
  Processors until(processors);
  for (const int b : first) until.take(work_of(b));
  BlockOrder best;
  // the last `fill` of the rest, which have least to do
  const std::size_t most = std::min(rest.size() - !rest.empty(), 2 * std::size_t(processors));
  for (std::size_t fill = 0;; ++fill) {
    Processors after(processors);
    for (std::size_t n = 0; n + fill < rest.size(); ++n) after.take(work_of(rest[n]));
    const double time =
        until.end() + (rest.empty() ? travel : std::max(travel, after.end()) + start_of_launch);
    if (fill == 0 || time < best.time) best.time = time, best.early = int(first.size() + fill);
    if (fill == most) break;
    until.take(work_of(rest[rest.size() - 1 - fill]));
  }
  const auto filled = rest.end() - std::ptrdiff_t(std::size_t(best.early) - first.size());
  first.insert(first.end(), filled, rest.end());
  first.insert(first.end(), rest.begin(), filled);
  best.order = std::move(first);
  return best;
}

/// All in one launch.
inline BlockOrder order_blocks(const std::vector<double>& work, int processors, double travel = 0) {
  return order_blocks(work, std::vector<char>(work.size(), 1), processors, travel);
}

/// [plane]: 1 where others copy it. A ghost plane counts as the one beside it.
inline std::vector<char> sent_planes(const Border& border, const Grid& grid) {
  const Planes planes(grid);
  std::vector<char> sent(std::size_t(planes.count()));
  int fields = 0;
  for (int c = 0; c < components; ++c) fields += has_component(grid.mode, c);
  for (const BorderMessage& m : border.messages)
    for (const ArrayPlaces& a : m.sent) {
      if (a.array >= fields || a.places.empty()) continue;
      const auto place = [&](index_t at) { return std::clamp(planes.of(at), 0, planes.count() - 1); };
      for (int k = place(a.places.front()), last = place(a.places.back()); k <= last; ++k)
        sent[std::size_t(k)] = 1;
    }
  return sent;
}

/// Places of a part that have to be stepped before the rest: planes that others copy, and in each column the
/// planes with cells that patches change in the arrays which blocks read.
class EarlyPlaces {
 public:
  EarlyPlaces(const MarchPlan& plan, const MarchExtent& e, std::vector<char> sent,
              std::span<const Segment> patches)
      : planes_(e.cells[2]),
        sent_(std::move(sent)),
        patched_(std::size_t(plan.tiles()) * std::size_t(planes_)) {
    const int written_y = plan.rows - 2 * volume_steps;
    for (const Segment& s : patches) {
      if (s.mask == 0 || s.k >= planes_) continue;
      const int low = s.i + std::countr_zero(s.mask), high = s.i + 31 - std::countl_zero(s.mask);
      // columns that read them: tile_x cells from written_x tx - margin_x on, rows from written_y ty on
      const int x1 = std::min((high + margin_x) / written_x, plan.tiles_x - 1),
                y1 = std::min(s.j / written_y, plan.tiles_y - 1);
      for (int ty = y1; ty >= 0 && s.j < ty * written_y + plan.rows; --ty)
        for (int tx = x1; tx >= 0 && low < tx * written_x - margin_x + tile_x; --tx)
          patched_[std::size_t(tx + plan.tiles_x * ty) * std::size_t(planes_) + std::size_t(s.k)] = 1;
    }
  }

  /// By block: whether it writes planes that are sent, or reads cells that patches change.
  std::vector<char> blocks(const MarchPlan& plan) const {
    std::vector<char> early(std::size_t(plan.blocks()));
    for (int b = 0; b < int(early.size()); ++b) {
      const int first = plan.first_plane(b), last = plan.last_plane(b);
      const auto any = [](auto begin, int from, int to) {
        return std::find(begin + from, begin + to, 1) != begin + to;
      };
      const auto column = patched_.begin() + std::ptrdiff_t(b % plan.tiles()) * planes_;
      early[std::size_t(b)] =
          any(sent_.begin(), first, last) ||
          any(column, std::max(first - volume_steps, 0), std::min(last + volume_steps, planes_));
    }
    return early;
  }
  int sent() const { return int(std::count(sent_.begin(), sent_.end(), 1)); }

 private:
  int planes_;
  std::vector<char> sent_;     ///< [plane]
  std::vector<char> patched_;  ///< [column][plane]
};

/// The cutting of a whole grid that is done first, for columns that are known.
inline std::pair<MarchPlan, BlockOrder> cut_whole(MarchPlan plan, const MarchExtent& e, int processors) {
  std::pair<MarchPlan, BlockOrder> best;
  const int count = e.end - e.begin;
  plan.begin = e.begin, plan.end = e.end;
  for (int cuts = 1; cuts <= std::clamp(count / 16, 1, 32); ++cuts) {
    plan.planes = (count + cuts - 1) / cuts;
    BlockOrder order = order_blocks(work_of_blocks(plan, e), processors);
    if (best.second.order.empty() || order.time < best.second.time) best = {plan, std::move(order)};
  }
  return best;
}

/// The same of a part, copies of planes on their way to others included. Overlap::always: with a rest beside
/// which they travel wherever some cutting leaves one.
inline std::pair<MarchPlan, BlockOrder> cut_part(MarchPlan plan, const MarchExtent& e,
                                                 const EarlyPlaces& places, Overlap overlap, int processors) {
  std::pair<MarchPlan, BlockOrder> best;
  const int count = e.end - e.begin;
  const double travel = travel_of_plane * places.sent() * plan.tiles() / processors;
  plan.begin = e.begin, plan.end = e.end;
  const auto consider = [&](BlockOrder order) {
    const auto left = [](const BlockOrder& o) { return o.early < int(o.order.size()); };
    const BlockOrder& old = best.second;
    const bool forced = overlap == Overlap::always && left(order) != left(old);
    if (old.order.empty() || (forced ? left(order) : order.time < old.time)) best = {plan, std::move(order)};
  };
  for (int cuts = 1; cuts <= std::clamp(count / 8, 1, 32); ++cuts) {
    plan.planes = (count + cuts - 1) / cuts;
    const auto work = work_of_blocks(plan, e);
    consider(order_blocks(work, processors, travel));
    consider(order_blocks(work, places.blocks(plan), processors, travel));
  }
  return best;
}

}  // namespace umov::fdtd::tuned
