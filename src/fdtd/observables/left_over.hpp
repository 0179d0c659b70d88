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

/// What a line that is two would leave of itself, for the best line in their place.
struct Split {
  double moment = 0;  ///< |w1 w2| (their distance)^2, w1 + w2 = 1 their amplitudes by their sum; angular
  double noise = 0;   ///< that which noise alone makes, its standard deviation
};
/// From what is left in `rest` after a line: A (w1 exp(-i d1 t) + w2 exp(-i d2 t)) of a line with w1 d1 + w2
/// d2 = 0 is A (1 - w1 w2 (d1 - d2)^2 t^2 / 2), so that it is the part of the rest along the line times t^2
/// that neither its amplitude nor its frequency explains. `noise` is the deviation of a sample.
Split split_of(const Line& line, const Record& rest, double step, double noise);

/// What is left in `rest` around a line with the best amplitudes of the lines nearby, as the standard
/// deviation of a sample of noise.
double left_around(const Line& line, const std::vector<Line>& cluster, const Record& rest, double step);

}  // namespace umov::fdtd::inversion
