// The engine of several ranks: a slab of the particle each, fields of the whole for whoever asks.
#pragma once

#include <memory>

#include "dda/engine.hpp"
#include "dda/ranks/slab.hpp"

namespace umov::dda {

/// `slab`: an engine on a device of `ranks` (comm::OnRanks). All members are called on every rank in one
/// order; fields, sums and reports are then those of the whole particle, on every rank; a rank may give no
/// room for a field that it does not want. memory() is the rank's own.
std::unique_ptr<Engine> make_ranked_engine(std::unique_ptr<Engine> slab, comm::Communicator& ranks);

/// The slab of this rank in an engine that make_ranked_engine() gave; nullptr for another.
const ParticleSlab* slab_of(const Engine&);

}  // namespace umov::dda
