// Which preconditioners a dipole run tries, and what their reference material is.
#pragma once

#include <string>
#include <vector>

#include "dda/engine.hpp"
#include "dda/simulation.hpp"

namespace umov::dda {

/// The preconditioners of a run in the order in which they are tried; empty = none, `why` in words.
struct Preconditioning {
  std::vector<Preconditioner> list;
  std::string why;
};

/// By size, contrast and fill of the particle where the case leaves the choice; the same for every
/// orientation and polarization, of which there are so many `solves`. `sim` has a refractive index for each
/// material of the particle. Throws BadInput for a solver that takes no preconditioner.
Preconditioning choose_preconditioning(const Simulation& sim, const shapes::Particle&, double wavenumber,
                                       const Vec3& propagation, const Int3& fft_grid, int solves);

/// Whether a run in double iterates in float, with residuals refreshed in double; `why` in words.
struct InnerChoice {
  bool in_float = false;
  std::string why;
};

/// By the number of iterations to expect where the case leaves the choice: float loses digits with each of
/// them, and a preconditioner leaves few, but for those whose medium resonates sharply (an index of 3 and
/// more).
InnerChoice choose_inner_precision(const Simulation&, const Preconditioning&);

}  // namespace umov::dda
