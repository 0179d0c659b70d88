// The engine of several ranks: a slab of the particle each, fields of the whole for whoever asks.
#pragma once

#include <memory>

#include "dda/engine.hpp"

namespace umov::dda {

/// `slab`: an engine on a device of `ranks` (comm::OnRanks). All members are called on every rank in one
/// order; fields, sums and reports are then those of the whole particle, on every rank; a rank may give no
/// room for a field that it does not want. memory() is the rank's own.
std::unique_ptr<Engine> make_ranked_engine(std::unique_ptr<Engine> slab, comm::Communicator& ranks);

}  // namespace umov::dda
