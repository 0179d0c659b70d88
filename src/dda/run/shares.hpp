// The shares that the materials of a shape have in its volume.
#pragma once

#include <vector>

#include "dda/run/prepare.hpp"

namespace umov::dda {

/// The share of each material in the volume of an analytic shape: the mean over fine lattices of some 10^7
/// `sites`, to some 1e-4. `box` is that of any grid of it.
std::vector<double> true_shares(const shapes::Request&, const Int3& box, double sites = 1e7);

/// How much more each material but the last has of the volume on this grid than in the shape itself.
std::vector<double> share_surplus(const shapes::Particle&, const std::vector<double>& true_shares);

/// What Cabs is off by, relative to itself, where materials have `shares` of the volume rather than
/// `true_shares`: each absorbs as a small sphere of its own does.
double share_error(const std::vector<double>& shares, const std::vector<double>& true_shares,
                   const std::vector<CVec3>& m);

/// Warns of a part whose dipoles have a twentieth more or less of the volume than the part itself.
void warn_of_shares(const Prepared&, run::Journal&);

}  // namespace umov::dda
