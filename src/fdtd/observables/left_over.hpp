// The rest of a record without its lines: how much of it is noise, and where most is left.
#pragma once

#include <optional>
#include <vector>

#include "fdtd/observables/record.hpp"

namespace umov::fdtd::inversion {

/// Frequencies on both sides of a line in which its spectrum lies, in units of 1 / duration.
inline constexpr double around = 4;

struct Peak {
  double amplitude = 0, frequency = 0;
};

/// A record and its spectrum in a band.
class LeftOver {
 public:
  LeftOver(Record record, double step, const Band& band);

  const Record& record() const { return c_; }
  double size() const { return size_; }  ///< the largest magnitude of a sample
  /// Standard deviation of an amplitude of the spectrum by that of a sample.
  double per_sample() const { return spectrum_->per_sample(); }

  /// Of the spectrum of a signal as long as the record, in a part of the band.
  Peak largest(const Record& c, const Band& part) const;
  /// Standard deviation per sample of what these lines leave: most of its spectrum is noise.
  double noise_beside(const std::vector<Line>&) const;
  /// The same beside the strongest of what was found, so few that they cannot stand for noise.
  double noise_beside_strongest(std::vector<Line>) const;

 private:
  Record c_;
  double size_ = 0;
  std::optional<WindowedSpectrum> spectrum_;
};

/// What is left in `rest` around a line with the best amplitudes of the lines nearby, as the standard
/// deviation of a sample of noise.
double left_around(const Line& line, const std::vector<Line>& cluster, const Record& rest, double step);

}  // namespace umov::fdtd::inversion
