// Workers of a sweep: each computes row after row on a device of its own.
#pragma once

#include <vector>

#include "fdtd/harmonic/run/ledger.hpp"

namespace umov::fdtd::harmonic {

/// What all workers read.
struct SweepParts {
  const Simulation& simulation;
  const Plan& plan;
  const Media& media;
  const Sweep& sweep;
  const Outcome& outline;  ///< the outcome before its rows: what does not change while they are computed
};

/// Computes the ledger's rows, one worker a device; a device that is there twice computes two rows at once.
/// One works on the thread of the caller, several have threads of their own and share the processors for what
/// is done beside the devices. Returns when all have ended; what ended them early is in the ledger.
void work_rows(const SweepParts&, const std::vector<int>& devices, Ledger&);

}  // namespace umov::fdtd::harmonic
