// An electroquasistatic case made ready: everything that a run needs before its device.
#pragma once

#include <cstddef>

#include "eqs/run/probes.hpp"
#include "eqs/run/schedule.hpp"
#include "run/journal.hpp"
#include "run/machine.hpp"

namespace umov::eqs {

struct Prepared {
  Simulation sim;
  run::Machine machine;
  Problem problem;
  Schedule schedule;
  ModelSummary summary;
  Probes probes;
  double seconds = 0;  ///< spent on all this
};

/// Mesh, problem, times, places that are looked at. Throws BadInput.
Prepared prepare(const Simulation&, const run::Machine&, run::Journal&);
/// The same with the problem that was made of it.
Prepared prepare(const Simulation&, const run::Machine&, Problem, run::Journal&);

/// The outcome before anything is solved: the case, the model, lines and surfaces without values.
Outcome unsolved(const Prepared&);

/// Estimates of the memory for a problem, before its engine is made.
struct MemoryEstimate {
  std::size_t device = 0, host = 0;
};
MemoryEstimate estimate_bytes(const Problem&);
/// The elements that the fullest of `ranks` has, as a guess without cutting the mesh, and the bytes on its
/// device for so many.
double fullest_elements(const Problem&, int ranks);
double rank_bytes(const Problem&, int ranks, double elements);

/// Throws BadInput when the memory of this machine will not do, where `here` of the ranks are; a card is
/// asked when it is opened.
void require_memory(const Prepared&, int ranks = 1, int here = 1);

}  // namespace umov::eqs
