// Pictures taken while a run goes on: the snapshots of its monitors, and the frames of its animation.
#pragma once

#include <vector>

#include "core/fields.hpp"
#include "fdtd/engine.hpp"
#include "fdtd/outcome.hpp"

namespace umov::fdtd {

/// Takes pictures at steps that are known beforehand, so that a run can be cut into pieces at any step.
class SnapshotRecorder {
 public:
  /// `limit`: the last step there can be; `fixed`: it will be reached.
  SnapshotRecorder(const Simulation&, const Grid&, long limit, bool fixed);

  /// The next step after `step` at which a picture is due; beyond all steps if none is.
  long next(long step) const;
  /// Takes what is due at the engine's step. Returns a warning when the snapshots fill too much memory, once.
  std::string take(const Engine&);

  /// What was taken so far, for checkpoints and results.
  struct Recorded {
    long frame_interval = 0;  ///< steps
    bool full = false;        ///< no more snapshots
    std::vector<Snapshot> snapshots, frames;
    UMOV_FIELDS(frame_interval, full, snapshots, frames)
  };
  const Recorded& recorded() const { return recorded_; }
  /// Gives them up at the end of a run.
  Recorded take_all() { return std::move(recorded_); }
  /// Goes on from there. Throws BadInput for pictures that no run of this case takes.
  void restore(Recorded);

 private:
  void take_frame(const Engine&);
  std::size_t snapshot_bytes() const;

  Grid grid_;
  std::array<std::array<WallKind, 2>, 3> walls_{};
  std::vector<MonitorSpec> monitors_;
  std::vector<long> intervals_;  ///< of the monitors, in steps
  MonitorSpec frame_;
  std::size_t most_frames_ = 0;
  bool fixed_ = true;
  Recorded recorded_;
};

}  // namespace umov::fdtd
