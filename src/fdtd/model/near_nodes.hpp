// Nodes next to a conductor's surface where E is along it (tm, one dimension): what they weigh.
#pragma once

#include "fdtd/model/face_areas.hpp"

namespace umov::fdtd {

/// Areas of the faces between a free node and one in a conductor, and capacities of the free nodes, from the
/// distances s (in cells) to the surface; to be called with areas that are s.
///
/// A face of area A and a node of capacity m behind it reflect a wave as a mirror at distance s does, up to
/// the third order of the cell, where
///   m A^2 = q(s),   q = s (1 + s) (1 + 2 s) / 6
/// (the impedance E / H beyond the node, as a series in k dx). m = 1 and A = sqrt(q) do so; s instead of
/// sqrt(q) is off by up to 0.016 (k dx)^2 of a cell. The step needs m A >= sigma: below that A = q / sigma
/// and m = sigma^2 / q, so that a node that the surface approaches comes to rest, and the answer does not
/// jump when the surface passes it. What A is above s the face beyond the node loses: the sum of areas is the
/// distance. 1 / m goes into `cuts` as the node's free fraction.
void weigh_near_nodes(const CutGrid&, ConductorCuts&, FaceAreas&);

}  // namespace umov::fdtd
