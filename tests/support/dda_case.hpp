// A dipole case with what computes it, as one thing that tests change.
#pragma once

#include "dda/run/accuracy.hpp"
#include "dda/run/run.hpp"

namespace umov::test {

struct DipoleCase : dda::Simulation {
  dda::Machine machine;

  /// Its states go into the folder; `resume`: it goes on from them.
  void checkpoints_in(const std::string& folder, bool resume = false) {
    machine.checkpoint_kind = dda::CheckpointKind::regular;
    machine.checkpoint_dir = folder;
    machine.checkpoint.resume = resume;
  }
};

inline dda::Outcome run(const DipoleCase& c, const dda::RunObserver& observer = {}) {
  return dda::run(c, c.machine, observer);
}

inline dda::Outcome run_accurate(const DipoleCase& c) { return dda::run_accurate(c, c.machine); }

}  // namespace umov::test
