// The marches of a run: the run alone, after its reference run, or beside it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "fdtd/run/march.hpp"

namespace umov::fdtd {

/// What the marches leave on a rank.
struct Marched {
  std::shared_ptr<Pair> pair;  ///< whose ranks the march is on; nullptr: all
  std::optional<March> march;  ///< of the run; none on ranks that only took its reference run
  bool converged = true;       ///< the run, on every rank
  std::string joined;          ///< from where on all ranks took the run, for the log
  std::string device;          ///< of the reference run, where that is all
  std::size_t device_bytes = 0;
};

/// `reference` is filled, unless the case has none or a resumed run is past it.
Marched march_in_turn(const Prepared&, ReferenceFields& reference, Checkpoints&, Journal&);

/// The two runs of a pair on two sides of the ranks. Of every rank. p.comm is changed.
Marched march_side_by_side(Prepared& p, const PairUse&, ReferenceFields& reference, Checkpoints&, Journal&);

}  // namespace umov::fdtd
