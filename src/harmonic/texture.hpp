// Height maps of interfaces: Gaussian roughness and pictures.
#pragma once

#include <vector>

#include "harmonic/cell.hpp"
#include "harmonic/simulation.hpp"

namespace umov::harmonic {

/// Heights (um, downwards, mean 0) on half cells, [2 ny or 1][2 nx], over a period (um; along y 0 where ny is
/// 1).
///
/// gaussian: a periodic surface of Gaussian statistics with exactly this rms and the autocorrelation exp(-r^2
/// / l^2), a sum of waves of random amplitudes whose mean squares go as exp(-k^2 l^2 / 4) (Ogilvy, Theory of
/// Wave Scattering from Random Rough Surfaces, 1991). The waves come from the seed in a fixed order, so that
/// another grid has the same surface. picture: grey values, bilinear between pixels and periodic, white
/// nearest to the light; in two dimensions its first row. Throws BadInput for what is no picture.
std::vector<double> height_map(const TextureSpec&, int nx, int ny, double period_x, double period_y);

/// An interface of this mean depth with the heights of a texture: those above, or lamellar, ridges along y,
/// one per period of x, whose share is a whole number of cells.
Interface textured(const TextureSpec&, int nx, int ny, double period_x, double period_y, double depth);

}  // namespace umov::harmonic
