// The integrated Green's tensor as a table over lags, and the functor that reads it on any device.
#pragma once

#include <vector>

#include "core/types.hpp"
#include "dda/choices.hpp"
#include "dda/kernels/interaction.hpp"

namespace umov::dda {

/// Interaction terms (1/um^3) of the lags 0 <= x < extent[0], ... (x fastest), six components each: xx, xy,
/// xz, yy, yz, zz; the other octants follow by symmetry. Lags outside are point dipoles.
struct InteractionTable {
  Int3 extent{0, 0, 0};
  std::vector<Complex<double>> terms;
};

/// The same in memory of a device, for a Problem that a preconditioner makes there; no terms: none.
struct InteractionTableView {
  Int3 extent{0, 0, 0};
  const Complex<double>* terms = nullptr;  ///< [lag, x fastest][6] (1/um^3)
};

/// Integrates the Green's tensor for all lags of `box` within the limit, `arguments` being those of
/// Simulation::interaction_arguments for igt: [limit in longest edges [precision]]. All lags of the box
/// without a limit. Accurate to rounding, whatever precision was asked for.
InteractionTable make_igt_table(const std::vector<double>& arguments, double wavenumber,
                                const Vec3& spacing_um, const Int3& box);

/// Reads an InteractionTable; `terms` may point to device memory.
template <class T>
struct TabulatedInteraction {
  using R = Wide<T>;
  LatticeSteps<T> lattice;
  const Complex<double>* terms;
  int extent[3];

  UMOV_HD void operator()(long x, long y, long z, Complex<T> g[6]) const {
    const long ax = x < 0 ? -x : x, ay = y < 0 ? -y : y, az = z < 0 ? -z : z;
    if (ax >= extent[0] || ay >= extent[1] || az >= extent[2]) return PointDipole<T>{lattice}(x, y, z, g);
    const Complex<double>* row = terms + 6 * ((az * extent[1] + ay) * extent[0] + ax);
    const long lag[3] = {x, y, z};
    for (int c = 0; c < 6; ++c) g[c] = Complex<T>(row[c]);
    restore_octant(lag, g);
  }
};

}  // namespace umov::dda
