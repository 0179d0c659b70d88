// Plane waves of the Yee grid: the wave number at a frequency from the grid's own dispersion relation.
#pragma once

#include "fdtd/grid.hpp"

namespace umov::fdtd {

/// A family of plane waves k = fixed + kappa along, one for each frequency: a fixed direction (fixed = 0),
/// or, with periodic walls, a fixed wave vector along the periods. No axis has parts in both.
struct WaveFamily {
  Vec3 fixed{0, 0, 0}, along{1, 0, 0};
  double eps = 1, mu = 1;
  /// Of a graded grid: edges of the cells where the wave is, along each axis; 0: no dispersion along it.
  Vec3 edge{0, 0, 0};
};

/// Edge of the cells along an axis that a family's waves meet.
inline double edge_of(const Grid& g, const WaveFamily& f, int axis) {
  return g.graded() ? f.edge[axis] : g.dx;
}

/// Angular frequency at which the family's wave on the grid has kappa = 0: below it nothing travels. Over a
/// frequency it is the sine of the angle from the normal.
double cutoff_on_grid(const Grid&, const WaveFamily&);

/// What the grid's difference makes of a wave number, times dx, squared: (2 sin(k dx / 2))^2.
double squared_difference(double k_dx);

/// One wave of a family: real kappa where the grid carries it. `rate` is d kappa / d w, the inverse of the
/// speed of a pulse along `along`.
struct GridWave {
  bool travels = false;
  double kappa = 0, rate = 0;
  Vec3 K{0, 0, 0};   ///< (2/dx) sin(k_i dx/2): what the grid's differences make of k
  double Omega = 0;  ///< (2/dt) sin(w dt/2)
};

/// Solves sum_i K_i^2 = eps mu Omega^2 (Taflove and Hagness 2005, chapter 4) for kappa at angular frequency
/// w; odd in w.
GridWave grid_wave(const Grid&, const WaveFamily&, double w);

}  // namespace umov::fdtd
