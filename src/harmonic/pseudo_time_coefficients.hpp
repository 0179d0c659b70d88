// The numbers of the pseudo-time iteration: its time step, and t and s of every half step.
#pragma once

#include <vector>

#include "harmonic/problem.hpp"

namespace umov::harmonic {

/// A time step of which an even number fills a period: after half of one the phasor of a static field is
/// minus itself (see pseudo_time_watch.hpp).
struct PseudoTimeStep {
  int steps = 0;     ///< per period
  double tau = 0;    ///< um (c = 1), with (2 / tau) sin(pi / steps) = k0: the discrete frequency is k0 itself
  double limit = 0;  ///< above this the leapfrog is unstable

  cplx p() const { return std::polar(1.0, -pi / steps); }  ///< exp(-i w tau / 2)
  cplx q() const { return std::polar(1.0, -2 * pi / steps); }
  double cosine() const { return std::cos(pi / steps); }
};

/// The largest step of at most `courant` of the limit. With `steps` given, that many per period (an odd
/// number and one).
PseudoTimeStep pseudo_time_step(const Problem&, double courant, int steps = 0);

/// Of E' = t E + s (curl H - J), H' = t H - s curl E.
struct HalfStep {
  cplx t, s;
  bool operator==(const HalfStep&) const = default;
};

/// Cells whose |Re eps| is below this take inertia 1 in its place (media near eps = 0 would ask for ever
/// shorter steps).
inline constexpr double least_inertia = 1;

/// With p = exp(-i w tau / 2), w' the discrete frequency k0 and sigma = k0 eps'' / cos(w tau / 2):
///     eps' >= 1:   (eps'/tau + sigma/2) p E' = (eps'/tau - sigma/2) E/p + curl H - J
///     eps' <= -1, iterated backwards (THIIM):
///                  (-eps'/tau + sigma/2) E'/p = curl H - J - (eps'/tau + sigma/2) p E
///     between:     (a/tau - i k0 eps/2) E' = (a/tau + i k0 eps/2) E + curl H - J,
///                  a = (1 - eps' sin^2(w tau / 2)) / cos(w tau / 2), for which E exp(-i w t) has the inertia
///                  of vacuum
/// all of which stand still where -i k0 eps E = curl H - J. With `backwards` false every cell takes the first
/// form, which for eps' < 0 grows without bound.
HalfStep electric_step(cplx permittivity, double k0, const PseudoTimeStep&, bool backwards = true);
HalfStep magnetic_step(const PseudoTimeStep&);

/// Of a derivative along z over a plane of stretch `s`, see AbsorbingPlanes; feed and share without 1 / dz.
struct StretchStep {
  double share;
  cplx keep, feed;
};
StretchStep stretch_step(cplx stretch, double k0, const PseudoTimeStep&);

/// The source b / (i k0) = J that gives `layered` [3][nz] in the layered cell: rows source - 1 and source of
/// the curl curl of the specular wave, [3][2]. Elsewhere there is none.
std::vector<cplx> sheet_current(const Problem&, const std::vector<cplx>& layered);

/// exp(i K x) of every column [ny][nx].
std::vector<cplx> bloch_phases(const Problem&);

/// b - (curl curl E - k0^2 eps E) of every edge, with the source of `layered`; E and the result
/// [3][nz][ny][nx] without the Bloch factor, as in Fields.
std::vector<cplx> equation_residual(const Problem&, const std::vector<cplx>& layered, const Fields&,
                                    int threads = 1);

/// Permittivity of edge (c, k, column).
inline cplx edge_permittivity(const Problem& p, int c, int k, index_t column) {
  if (k >= p.rough_begin && k < p.rough_end)
    return p.permittivity[(index_t(c) * p.rough_planes() + k - p.rough_begin) * p.grid.columns() + column];
  return c == 2 ? p.normal[k] : p.tangential[k];
}

}  // namespace umov::harmonic
