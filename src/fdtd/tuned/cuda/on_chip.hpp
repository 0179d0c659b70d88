// Small two-dimensional grids in the shared memory of a cluster of multiprocessors, for many steps at a time.
#pragma once

#include "fdtd/tuned/cuda/choice.hpp"
#include "fdtd/tuned/cuda/step_work.hpp"

namespace umov::fdtd::tuned {

/// Rows go to the blocks of one cluster in equal stretches; `bytes` of shared memory hold one stretch. Where
/// there are no clusters, one block has all rows.
struct OnChipPlan {
  int blocks = 0, rows = 0;  ///< blocks 0: does not fit
  int bytes = 0;
  bool cluster = true;
};

/// Electric walls, no tensor terms, no cells that dispersive media share, at most 256 media; everything else
/// may be on.
template <class T>
OnChipPlan plan_on_chip(const Problem&, const Limits&);

/// As launch_steps, with all fields, psi and ids copied onto the chip before and back after.
template <class T>
void launch_on_chip(Mode, const StepWork<T>&, const OnChipPlan&, long first, long steps, cudaStream_t);

}  // namespace umov::fdtd::tuned
