// One problem on several ranks: every rank steps its planes, and all give the same answers.
#pragma once

#include "comm/communicator.hpp"
#include "fdtd/engine.hpp"

namespace umov::fdtd::ranks {

/// An engine whose members are called on every rank of `comm`, which outlives it, with the same arguments
/// and in one order. Fields, samples, transforms and energies have the bits that one rank would find
/// (energies on GPUs and in one dimension: the same bits on every rank). save() gives the whole state on rank
/// 0, as one rank would save it, and nothing elsewhere; restore() wants it on all. bytes() is this rank's.
/// One rank: the engine of one device. Throws as make_engine does, and as make_part.
std::unique_ptr<Engine> make_engine(const Problem&, const EngineRequest&, comm::Communicator& comm);

/// The least steps between two exchanges, and what is taken where nobody says otherwise.
inline constexpr int steps_between_exchanges = 1;

/// What a step of each plane across the last axis costs, relative to a cell that is nothing but air.
std::vector<double> plane_costs(const Problem&);

}  // namespace umov::fdtd::ranks
