// Fluxes of one monitor over the last part of a run, and what the fields left at its end would still add.
#pragma once

#include <cstddef>
#include <vector>

#include "core/bytes.hpp"

namespace umov::fdtd {

/// What else is known of the fields left at the end.
struct LeftOver {
  double bandwidth = 0;  ///< over which the sources spread their energy, c / length; 0: not known
  double passing = 0;    ///< time that the sources' last wave takes to come by, where it may not have yet
};

/// Fluxes at times that are about evenly spaced.
class FluxHistory {
 public:
  void add(long step, double time, double energy, std::vector<double> flux);
  /// Drops records whose step is no multiple of `spacing`.
  void thin(long spacing);
  std::size_t size() const { return records_.size(); }

  /// How far the flux of each frequency is from its value after an endless run, from a record that ends at
  /// `time` with `flux`. With b the largest change over a window at the end of the record and q the factor by
  /// which amplitudes fall over it, from the slope of the energy's logarithm, the geometric series that goes
  /// on adds b q / (1 - q): exact for one decaying line. Of windows of a half, a quarter and an eighth the
  /// least is taken, since what decays fast is gone from the later ones, and twice of it, for what decays
  /// more slowly than the energy. Energy that falls slowly where the monitor does not see it, as in a guide's
  /// corners, makes that too high: it is at most twice what a line leaves whose changes over two windows, one
  /// half of the other, have the quotient that was found. The energy U that is left tells more: spread over
  /// the sources' band B it has the flux G = U / (4 B), which changes the flux F that was there by 2 sqrt(F
  /// G) + G. No estimate is larger than that and three times the change over all of the record. While the
  /// last wave may still pass none is smaller: no record knows of what has not come by. What passes within a
  /// time D has a flux of U D / 4 at most (Cauchy and Schwarz), which is less than G of long waves. Empty
  /// with fewer than four records.
  ///
  /// Measured (tests/fdtd/flux_error_test.cpp): from a quarter of the true error to 30 times it (200 at
  /// errors of 1e-7) once a wave has crossed the domain; before, a quarter of it to what would pass if all
  /// energy did.
  std::vector<double> remaining(double time, const std::vector<double>& flux, const LeftOver& = {}) const;

  /// Of endless waves, whose transforms grow with the run: how far quotients flux / reference are from those
  /// of steady waves, for a record and a reference run of the same times. They approach it as 1 / time, so
  /// that the change since half of the time is the error and three times that since three quarters; half as
  /// much again. Empty without such records.
  std::vector<double> unsteady(double time, const std::vector<double>& flux, const FluxHistory& reference,
                               const std::vector<double>& reference_flux) const;

  void save(ByteWriter&) const;
  /// Throws BadInput when the bytes end early.
  void restore(ByteReader&);

 private:
  struct Record {
    long step = 0;
    double time = 0, energy = 0;
    std::vector<double> flux;
  };
  /// Rate at which amplitudes fall, by least squares on the energy from a record on.
  double amplitude_rate(std::size_t from) const;

  double energy_rate() const;
  /// The remainder by the energy's rate, per frequency, and by the quotient of the changes, the largest.
  std::vector<double> by_energy(double time, const std::vector<double>& flux) const;
  double by_changes(double time, const std::vector<double>& flux) const;
  /// Largest change of each frequency from a record on.
  std::vector<double> changes(std::size_t from, const std::vector<double>& flux) const;

  std::vector<Record> records_;
};

}  // namespace umov::fdtd
