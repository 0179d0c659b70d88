// Workers of a sweep: each computes row after row on a device of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harmonic/run/row_news.hpp"
#include "harmonic/run/run.hpp"
#include "run/ledger.hpp"

namespace umov::harmonic {

/// What all workers read.
struct SweepParts {
  const Simulation& simulation;
  const Plan& plan;
  const Media& media;
  const Sweep& sweep;
  const std::vector<Row>& rows;  ///< in the order of the tables
  const Outcome& outline;  ///< the outcome before its rows: what does not change while they are computed
};

/// How workers of these devices are called.
std::vector<std::string> worker_names(const std::string& backend, const std::vector<int>& devices);

/// Computes the rows of a source, one worker a device, with numbers from `first`; a device that is there
/// twice computes two rows at once. Workers have threads of their own and share the processors for what is
/// done beside the devices; `meanwhile` is what the caller's thread does. Empty: one worker alone is on that
/// thread. Returns when all have ended; what ended them early the source knows.
void work_rows(const SweepParts&, const std::vector<int>& devices, int first, run::CaseSource&,
               const std::function<void()>& meanwhile);

}  // namespace umov::harmonic
