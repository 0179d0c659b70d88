// A directory's arrays from a time-harmonic cell: coefficients of the split iteration, sources of a plane
// wave.
#pragma once

#include "harmonic/cell.hpp"
#include "layers/transfer_matrix.hpp"
#include "pmaxwell/system.hpp"

namespace umov::pmaxwell {

/// Parts whose |Re(m)| is below this take inertia 1 in its place: the averages of cut edges come near to 0,
/// and the time step that they allow goes with the root of it.
inline constexpr double least_inertia = 1;

/// t and s of one part, whose m is the permittivity (H: 1) times the stretch of its derivative's axis:
///     m' >= 1:    (m'/tau + sigma/2) p f' = (m'/tau - sigma/2) f / p + difference / d,
///     m' <= -1:   the same with f and f' exchanged (backward, THIIM), which then contracts,
///     between:    (a/tau - i k0 m/2) f' = (a/tau + i k0 m/2) f + difference / d,
///                 a = (1 - m' sin^2(w tau / 2)) / cos(w tau / 2).
/// p = exp(-i w tau / 2), sigma = k0 m'' / cos(w tau / 2), sin(w tau / 2) = k0 tau / 2: the fixed point is
/// that of -i k0 m f = difference / d at any tau. The third one, written for f exp(-i w t), is 1/tau times
/// the difference of f' and f, i.e. the inertia of vacuum, whatever m'; it has abs(t) <= 1 where m'' >= 0,
/// and abs(s) <= tau / d.
struct Coefficients {
  cplx t, s;
};
Coefficients coefficients(cplx m, double k0, double tau, double d);

/// Writes the arrays of one cell one after the other, so that no more than one is in memory.
class Generator {
 public:
  /// Normal incidence; the wave has amplitude 1 and phase 0 at the source's plane, E along y (s) or x (p).
  /// The time step (um, times c) is `courant` of the largest that is stable: sqrt(the least inertia / sum of
  /// 1/d^2), an inertia being the larger of 1 and abs(Re m). Throws BadInput for oblique incidence.
  Generator(const harmonic::LayeredCell&, const harmonic::Problem&, layers::Polarization, double courant);

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
  double smallest_inertia() const;
  Value source(int a, int k) const;
  cplx permittivity(int c, int i, int j, int k) const;

  const harmonic::LayeredCell& cell_;
  const harmonic::Problem& p_;
  layers::Polarization polarization_;
  double tau_ = 0;
  cplx kz_;
};

}  // namespace umov::pmaxwell
