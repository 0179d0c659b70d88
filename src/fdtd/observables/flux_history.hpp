// Fluxes of one monitor over the last part of a run, and what the fields left at its end would still add.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace umov::fdtd {

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
  /// more slowly than the energy; at most 40 b and three times the change over all of the record. Energy that
  /// falls slowly where no monitor sees it makes it too high. Empty with fewer
  /// than four records.
  std::vector<double> remaining(double time, const std::vector<double>& flux) const;

  void save(std::vector<std::byte>&) const;
  /// Throws BadInput when the bytes end early.
  void restore(std::span<const std::byte>&);

 private:
  struct Record {
    long step = 0;
    double time = 0, energy = 0;
    std::vector<double> flux;
  };
  /// Rate at which amplitudes fall, by least squares on the energy from a record on.
  double amplitude_rate(std::size_t from) const;

  double energy_rate() const;
  /// Largest change of each frequency from a record on.
  std::vector<double> changes(std::size_t from, const std::vector<double>& flux) const;

  std::vector<Record> records_;
};

}  // namespace umov::fdtd
