// A directory's arrays from a time-harmonic cell: coefficients of the split iteration, sources of a plane
// wave.
#pragma once

#include "fdtd/harmonic/cell.hpp"
#include "fdtd/harmonic/pmaxwell/system.hpp"
#include "fdtd/harmonic/transfer_matrix.hpp"

namespace umov::fdtd::harmonic::pmaxwell {

/// t and s of one part: where Re(m) >= 0 of the forward step
///     (m'/tau + sigma/2) p f' = (m'/tau - sigma/2) f / p + difference / d,
/// else of the backward one (THIIM), the same equation with f and f' exchanged, which then contracts. m is
/// the part's permittivity (H: 1) times the stretch of its derivative's axis, p = exp(-i w tau / 2), sigma =
/// k0 m'' / cos(w tau / 2), sin(w tau / 2) = k0 tau / 2: the fixed point is that of -i k0 m f = difference /
/// d at any tau.
struct Coefficients {
  cplx t, s;
};
Coefficients coefficients(cplx m, double k0, double tau, double d);

/// Writes the arrays of one cell one after the other, so that no more than one is in memory.
class Generator {
 public:
  /// Normal incidence; the wave has amplitude 1 and phase 0 at the source's plane, E along y (s) or x (p).
  /// The time step (um, times c) is `courant` of the largest that is stable: sqrt(min(1, abs(Re m)) / sum of
  /// 1/d^2). Throws BadInput for oblique incidence, and for a cut edge whose mean permittivity is so near to
  /// 0 that the step would vanish.
  Generator(const LayeredCell&, const Problem&, Polarization, double courant);

  double tau() const { return tau_; }
  double steps_per_period() const;
  Int3 cells() const { return {p_.grid.nx, p_.grid.ny, p_.grid.nz}; }
  /// Coordinates, um; z = 0 at the top of the cell.
  std::array<std::vector<double>, 3> nodes() const;
  std::vector<Value> array(int a) const;
  /// All of them.
  System system() const;

 private:
  cplx medium(int a, int i, int j, int k) const;
  double smallest_medium() const;
  Value source(int a, int k) const;
  cplx permittivity(int c, int i, int j, int k) const;

  const LayeredCell& cell_;
  const Problem& p_;
  Polarization polarization_;
  double tau_ = 0;
  cplx kz_;
};

}  // namespace umov::fdtd::harmonic::pmaxwell
