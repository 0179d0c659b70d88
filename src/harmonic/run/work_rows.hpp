// Workers of a sweep: each computes row after row on a device of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harmonic/run/row_source.hpp"
#include "harmonic/run/run.hpp"

namespace umov::harmonic {

/// What all workers read.
struct SweepParts {
  const Simulation& simulation;
  const Plan& plan;
  const Media& media;
  const Sweep& sweep;
  const Outcome& outline;  ///< the outcome before its rows: what does not change while they are computed
};

/// How workers of these devices are called.
std::vector<std::string> worker_names(const std::string& backend, const std::vector<int>& devices);

/// Computes the rows of a source, one worker a device; a device that is there twice computes two rows at
/// once. One works on the thread of the caller, several have threads of their own and share the processors
/// for what is done beside the devices. Returns when all have ended; what ended them early the source knows.
void work_rows(const SweepParts&, const std::vector<int>& devices, RowSource&);

/// The workers of one of several ranks, whose numbers begin at `first`: all on threads of their own.
/// `meanwhile` is what the caller's thread does; by its end the source has nothing left.
void work_rows(const SweepParts&, const std::vector<int>& devices, int first, RowSource&,
               const std::function<void()>& meanwhile);

}  // namespace umov::harmonic
