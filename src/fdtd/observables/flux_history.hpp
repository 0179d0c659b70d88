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
  /// `time` with `flux`. With b the largest change over the later half of the record and q the factor by
  /// which amplitudes fell over it (from the slope of the energy's logarithm) the sum of the geometric series
  /// that goes on is b q / (1 - q); half as much again is added for what decays more slowly than the energy.
  /// Exact for one decaying oscillation at resonance. Empty without enough records (four); a decay too slow
  /// to be seen counts as 1 / 20 of b per half.
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

  std::vector<Record> records_;
};

}  // namespace umov::fdtd
