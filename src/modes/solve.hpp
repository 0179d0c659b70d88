// The modes of a section: guided ones of lossless media, lossy, leaky and bent ones.
#pragma once

#include <functional>

#include "modes/mode.hpp"
#include "modes/section.hpp"

namespace umov::modes {

/// Up to sim.count modes at a frequency in c / unit, with group index and all that is measured but the
/// dispersion. Between conductors and in lossless media those of fdtd::guided_modes; else of complex
/// matrices, with absorbing layers as stretched coordinates (s = 1 + i sigma (depth)^2, 1e-6 of a wave across
/// at the index of vacuum) and a bend as cylindrical ones: eps and mu by J J^T / det J (Chew and Weedon 1994,
/// Microw. Opt. Technol. Lett. 7, 599). Modes with more than half of |E|^2 in the layers are waves of these,
/// and none. A bend's modes are those most like the straight guide's.
std::vector<Mode> solve(const Section&, const Simulation&, double frequency);

/// (a|b) = 1/2 sum (e_a x h_b) without conjugation, by which modes of one section are orthogonal.
cplx product(const Section&, const Mode& a, const Mode& b);

/// Fields at the middles of cells: [cells[1]][cells[0]] of each component.
std::array<std::vector<cplx>, 6> centred(const Section&, const Mode&);

/// Modes at all wavelengths by all threads, each followed from its neighbour, with dispersion, extrapolated
/// indices and overlaps. `told` hears how many of the solutions are done, and returns whether to go on; else
/// Error(Exit::interrupted) is thrown.
Outcome run(const Simulation&, int threads, const std::function<bool(const std::string&, int, int)>& told);

}  // namespace umov::modes
