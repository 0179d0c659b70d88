// The intensity inside a particle on two cuts: through its middle, or a beam's centre.
#pragma once

#include <array>
#include <vector>

#include "comm/communicator.hpp"
#include "dda/field_sink.hpp"
#include "dda/simulation.hpp"

namespace umov::dda {

/// |E|^2 normal to x as [plane][y], normal to y as [plane][x], NaN in the void.
using FieldCuts = std::array<std::vector<double>, 2>;

/// The x of the first cut's dipoles and the y of the second's, counted: the nearest ones to a beam's centre,
/// those in the middle where there is none within the particle's box.
std::array<int, 2> cut_planes(const shapes::Particle&, const Simulation&);

/// Of the planes that there are.
FieldCuts cuts_of(const shapes::Particle&, const PlaneFields&, const std::array<int, 2>& planes);

/// Planes behind those that there are.
void append(FieldCuts&, const FieldCuts& more);

/// Of the whole, on rank 0, where the planes of the ranks follow each other; of every rank.
FieldCuts gather_cuts(comm::Communicator&, FieldCuts own);

}  // namespace umov::dda
