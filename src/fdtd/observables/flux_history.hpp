// Fluxes of one monitor over the last part of a run, and what the fields left at its end would still add.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/bytes.hpp"

namespace umov::fdtd {

/// What else is known of the fields left at the end.
struct LeftOver {
  double bandwidth = 0;   ///< over which the sources spread their energy, c / length; 0: not known
  double passing = 0;     ///< time that the sources' last wave takes to come by, where it may not have yet
  double round_trip = 0;  ///< time that a wave takes to and fro through what holds it
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
  /// which amplitudes fell over it, by the largest energy that came after its start, the geometric series
  /// that goes on adds b q / (1 - q): exact for one decaying line, and twice that is said. Echoes come in
  /// bursts with nothing between them: a window is no shorter than a round trip, and no shorter than what
  /// halves the amplitudes. Of those from the shortest to one of twice its length each frequency takes its
  /// largest value; without any the whole record is the window. The energy U that is left tells more: spread
  /// over the sources' band B, or over the resolution of the record where that is less, it has the flux G = U
  /// / (4 B), which changes the flux F that was there by 2 sqrt(F G) + G. No estimate is larger than that and
  /// three times the change over all of the record. While the last wave may still pass none is smaller: no
  /// record knows of what has not come by. What passes within a time D has a flux of U D / 4 at most
  /// (Cauchy and Schwarz), which is less than G of long waves. Empty with fewer than four records.
  ///
  /// A line that is narrower than the record is long and holds less than the energy that still falls is not
  /// seen.
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
  /// Factor by which amplitudes fall from a record to a time.
  double fall(std::size_t from, double time) const;
  /// The records that windows begin with, from the first to the last.
  std::pair<std::size_t, std::size_t> windows(double time, double round_trip) const;
  /// The remainder of the geometric series.
  std::vector<double> by_energy(double time, const std::vector<double>& flux, double round_trip) const;
  /// Largest change of each frequency from a record on.
  std::vector<double> changes(std::size_t from, const std::vector<double>& flux) const;

  std::vector<Record> records_;
};

}  // namespace umov::fdtd
