// The variants of a batch, one after another on every device there is.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "comm/communicator.hpp"
#include "eqs/outcome.hpp"
#include "eqs/variants/batch_outcome.hpp"
#include "run/ledger.hpp"

namespace umov::eqs {

/// What a caller sees and decides. Called by one thread at a time, but for `hold`.
struct BatchObserver : run::Control {
  /// The row of a variant that is finished already, with values in the order of its columns.
  std::function<std::optional<BatchRow>(std::size_t)> finished;
  /// The columns that those rows have; none where there are no such rows.
  std::vector<BatchColumn> columns;
  /// A variant is computed, on this rank; called before it has its row.
  std::function<void(std::size_t, const Outcome&)> computed;
  /// A variant has its row, on whichever rank.
  std::function<void(std::size_t, const BatchRow&, const std::vector<BatchColumn>&)> solved;
  std::function<void(const run::CaseProgress&)> progress;
  std::function<void(const std::string&)> warning;
};

/// Runs what is not finished. A variant that is refused or does not converge has a row that says why, and the
/// others go on; where none can be computed, its error is thrown. A device that fails is left out where there
/// are others. Throws MachineFailure, Interrupted.
BatchOutcome run_batch(const Batch&, const BatchObserver&);
/// The same on several ranks, each of which calls it with the same variants for its own device; each variant
/// is computed by one of them, with the bits of one rank. Rank 0's observer and outcome count; of the others'
/// observers `computed` and `stop` are called.
BatchOutcome run_batch(comm::Communicator&, const Batch&, const BatchObserver&);

/// Memory and size of the first variant, as for a single run; refuses what would refuse that.
struct BatchPlan {
  std::size_t device_bytes = 0, host_bytes = 0, unknowns = 0, meshes = 0;
  std::vector<std::string> warnings;
};
BatchPlan plan_batch(const Batch&);

}  // namespace umov::eqs
