// The variants of a batch, one after another on every device there is.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "eqs/command/batch.hpp"
#include "eqs/outcome.hpp"
#include "sweep/run.hpp"

namespace umov::eqs {

/// What variants are computed with, on one rank.
struct BatchSeat {
  Machine machine;
  sweep::Wishes wishes;
};
/// On the ranks and GPUs that the case wants of this process: so many workers.
BatchSeat seat_of_process(const Batch&);
/// On a rank, which has what `own` says.
BatchSeat seat_of_rank(const Batch&, const run::Machine& own);

struct BatchWatch : sweep::Watch {
  /// A variant is computed, on this rank; called before it has its row.
  std::function<void(std::size_t, const Outcome&)> computed;
};

struct BatchOutcome {
  sweep::Rows rows;      ///< per variant, empty: not computed
  sweep::Course course;  ///< `made`: meshes
  std::string version, device;
  std::size_t taken_over = 0;  ///< rows that an earlier run had found
  double seconds = 0;          ///< of this run, from the first variant to the last
  std::vector<std::string> warnings;

  bool converged() const { return std::ranges::all_of(rows, is_done); }
  /// Why a variant has no results, or none to trust.
  std::string why_not(std::size_t k) const { return rows[k] ? rows[k]->message : "not computed"; }
  static bool is_done(const std::optional<sweep::Row>& row) {
    return row && row->status == sweep::Status::done;
  }
};

/// Runs what has no row in `rows`. A variant that is refused or does not converge has a row that says why,
/// and the others go on; where none can be computed, its error is thrown. A device that fails is left out
/// where there are others. On several ranks each calls it with the same variants; each variant is computed by
/// one of them, with the bits of one rank. Rank 0's watch and outcome count; of the others' watches
/// `computed` and `stop` are called. Throws MachineFailure, Interrupted.
BatchOutcome run_batch(comm::Communicator&, const Batch&, const BatchSeat&, const BatchWatch&,
                       sweep::Rows rows);

/// Memory and size of the first variant, as for a single run; refuses what would refuse that.
struct BatchPlan {
  std::size_t device_bytes = 0, host_bytes = 0, unknowns = 0, meshes = 0;
  std::vector<std::string> warnings;
};
BatchPlan plan_batch(const Batch&);

}  // namespace umov::eqs
