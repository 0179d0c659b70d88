// The intensity inside a particle on two cuts through its middle.
#pragma once

#include <array>
#include <vector>

#include "comm/communicator.hpp"
#include "dda/field_sink.hpp"

namespace umov::dda {

/// |E|^2 normal to x as [plane][y], normal to y as [plane][x], NaN in the void.
using FieldCuts = std::array<std::vector<double>, 2>;

/// Of the planes that there are.
FieldCuts cuts_of(const shapes::Particle&, const PlaneFields&);

/// Planes behind those that there are.
void append(FieldCuts&, const FieldCuts& more);

/// Of the whole, on rank 0, where the planes of the ranks follow each other; of every rank.
FieldCuts gather_cuts(comm::Communicator&, FieldCuts own);

}  // namespace umov::dda
