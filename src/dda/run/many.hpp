// Many cases one after another.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "dda/many_outcome.hpp"
#include "dda/outcome.hpp"
#include "dda/run/observer.hpp"
#include "run/ledger.hpp"

namespace umov::dda {

/// What a caller sees and decides while the cases run; on several ranks the caller on each.
struct ManyObserver : run::Control {
  /// The row of a case that is finished already. Asked on the first rank; may be empty.
  std::function<std::optional<CaseRow>(std::size_t)> finished;
  /// These cases are begun, which are solved for together; what computes them, with checkpoints.
  std::function<Machine(const std::vector<std::size_t>& together)> begin;
  /// The case as it is to be run, with fewer results.
  std::function<Simulation(std::size_t)> ready;
  std::function<RunObserver(std::size_t)> observer;
  /// On several ranks, which have a case each: hears before the first one how observers learn that the run is
  /// stopped. May be empty.
  std::function<void(const std::function<bool()>& stopped)> apart;
  /// A case has been solved, on this rank.
  std::function<void(std::size_t, const Outcome&, CaseRow&)> solved;
  /// A case has its row, on whichever rank. Heard on the first one; may be empty.
  std::function<void(std::size_t, const CaseRow&)> row;
  std::function<std::string()> how_to_go_on;  ///< what an interruption between cases says
};

/// Runs the cases in order. Each starts from solutions before it, where the case wants it and one parameter
/// alone differs between one case and the next. Where blocks of right-hand sides are asked for, cases that
/// differ in the direction of incidence alone and share the polarizability are solved for together, from
/// zero, when the first of them has its turn. Throws as `run` does.
/// Called on every rank of `comm`: of several each computes a stretch of the cases in order, with the whole
/// particle and without blocks. The first one has the outcome; a rank that is stopped stops all of them. A
/// case alone is computed by all ranks together, as `run` does on ranks, and saves its state.
ManyOutcome run_many(comm::Communicator& comm, const std::vector<Simulation>& list, const Machine&,
                     const ManyObserver&);

CaseRow row_of(const Outcome&);

/// Plans every case, so that whatever would refuse one does so before the first; returns the plan that needs
/// the most memory, solutions kept for starts included. `ranks` compute a case together.
Outcome plan_many(const std::vector<Simulation>&, const Machine&,
                  const std::function<void(const std::string&)>& warning, int ranks = 1);

}  // namespace umov::dda
