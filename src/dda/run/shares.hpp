// The shares that the materials of a shape have in its volume.
#pragma once

#include <vector>

#include "dda/simulation.hpp"

namespace umov::dda {

/// The share of each material in the volume of an analytic shape: the mean over fine lattices of some 10^7
/// sites, to some 1e-4. `box` is that of any grid of it.
std::vector<double> true_shares(const shapes::Request&, const Int3& box);

/// How much more each material but the last has of the volume on this grid than in the shape itself.
std::vector<double> share_surplus(const shapes::Particle&, const std::vector<double>& true_shares);

}  // namespace umov::dda
