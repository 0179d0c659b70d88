#include "fdtd/run/snapshot_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/text.hpp"
#include "fdtd/monitors/snapshot.hpp"
#include "fdtd/observables/region.hpp"
#include "fdtd/observables/snapshot.hpp"
#include "fdtd/sources/waveform.hpp"

namespace umov::fdtd {

namespace {

constexpr std::size_t most_snapshot_bytes = std::size_t(1) << 30;
constexpr int most_across = 1024;  // values along an edge of a frame
constexpr double frames_per_period = 12;

/// Every n-th value along each axis, so that no edge is longer than a frame's.
Snapshot thinned(Snapshot s) {
  const int longest = std::max({s.size[0], s.size[1], s.size[2]});
  const int n = (longest + most_across - 1) / most_across;
  if (n <= 1) return s;
  Snapshot out = s;
  out.values.clear();
  for (int a = 0; a < 3; ++a) out.size[a] = (s.size[a] + n - 1) / n;
  for (int k = 0; k < s.size[2]; k += n)
    for (int j = 0; j < s.size[1]; j += n)
      for (int i = 0; i < s.size[0]; i += n)
        out.values.push_back(s.values[(std::size_t(k) * s.size[1] + j) * s.size[0] + i]);
  return out;
}

}  // namespace

SnapshotRecorder::SnapshotRecorder(const Simulation& sim, const Grid& grid, long limit, bool fixed)
    : grid_(grid), walls_(sim.walls), fixed_(fixed) {
  for (const auto& m : sim.monitors)
    if (m.kind == MonitorSpec::Kind::snapshot) {
      monitors_.push_back(m);
      intervals_.push_back(std::max(1L, std::lround(m.own<SnapshotSpec>().every / grid.dt)));
    }
  if (!sim.outputs.animation) return;
  most_frames_ = std::size_t(sim.outputs.frames);
  frame_.name = "animation";
  const double highest = highest_driven_frequency(sim);
  // Without a fixed end frames are thinned out as the run gets longer.
  const double steps = fixed || highest <= 0 ? double(limit) / double(most_frames_)
                                             : 1 / (highest * frames_per_period * grid.dt);
  recorded_.frame_interval = std::max(1L, std::lround(std::floor(steps)));
}

long SnapshotRecorder::next(long step) const {
  long first = std::numeric_limits<long>::max();
  const auto due = [&](long interval) { first = std::min(first, (step / interval + 1) * interval); };
  if (!recorded_.full)
    for (const long interval : intervals_) due(interval);
  if (most_frames_ > 0) due(recorded_.frame_interval);
  return first;
}

std::string SnapshotRecorder::take(const Engine& engine) {
  const long step = engine.step();
  for (std::size_t i = 0; i < monitors_.size() && !recorded_.full; ++i)
    if (step % intervals_[i] == 0)
      for (const Component c : recorded_components(monitors_[i], grid_.mode))
        recorded_.snapshots.push_back(take_snapshot(engine, grid_, monitors_[i], c, walls_));
  if (most_frames_ > 0 && step % recorded_.frame_interval == 0) take_frame(engine);
  if (recorded_.full || snapshot_bytes() < most_snapshot_bytes) return "";
  recorded_.full = true;
  return fmt::format(
      "the snapshots fill {} (kept in memory until the end); none is taken after step {}: give "
      "them a longer interval",
      format_bytes(double(snapshot_bytes())), step);
}

void SnapshotRecorder::restore(Recorded recorded) {
  const auto is_picture = [&](const Snapshot& s) {
    double values = 1;  // a product of int may not fit one
    for (const int n : s.size) values *= n;
    return s.component >= Ex && s.component < components && has_component(grid_.mode, s.component) &&
           std::ranges::min(s.size) > 0 && values == double(s.values.size());
  };
  if (!std::ranges::all_of(recorded.snapshots, is_picture) ||
      !std::ranges::all_of(recorded.frames, is_picture) || (most_frames_ > 0 && recorded.frame_interval < 1))
    throw BadInput("the checkpoint's pictures are not of this case (damaged?); start anew");
  recorded_ = std::move(recorded);
}

void SnapshotRecorder::take_frame(const Engine& engine) {
  auto& frames = recorded_.frames;
  if (frames.size() >= most_frames_) {
    if (fixed_) return;
    recorded_.frame_interval *= 2;
    std::erase_if(frames, [&](const Snapshot& s) { return s.step % recorded_.frame_interval != 0; });
    if (engine.step() % recorded_.frame_interval != 0) return;
  }
  frames.push_back(thinned(take_snapshot(engine, grid_, frame_)));
}

std::size_t SnapshotRecorder::snapshot_bytes() const {
  std::size_t bytes = 0;
  for (const auto& s : recorded_.snapshots) bytes += s.values.size() * sizeof(float);
  return bytes;
}

}  // namespace umov::fdtd
