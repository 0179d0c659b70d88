// Filter diagonalisation: the complex frequencies in a short signal as eigenvalues, before any is judged.
#pragma once

#include <span>
#include <vector>

#include "core/types.hpp"

namespace umov::fdtd {

/// A line of a signal: amplitude exp(-i angular n), n the number of the sample.
struct Line {
  cplx angular;  ///< w times the step; its imaginary part is negative for a decay
  cplx amplitude;
};

/// Frequencies between which lines are looked for.
struct Band {
  double from, to;
};

/// Lines of a signal by filter diagonalisation with a Fourier basis in the band (Mandelshtam and Taylor 1997,
/// J. Chem. Phys. 107, 6756, eqs. 2.15 to 2.23), split into windows of at most 96 basis functions. One list
/// per threshold: singular values of the overlap matrix below that fraction of the largest are taken as
/// noise, so that a coarser threshold has fewer lines and takes those that noise does not let it tell apart
/// as one. Fewer than 8 samples have no lines.
std::vector<std::vector<Line>> filter_diagonalisation(std::span<const cplx> samples, double step, const Band&,
                                                      const std::vector<double>& thresholds);

}  // namespace umov::fdtd
