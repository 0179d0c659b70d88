// When the pseudo-time iteration is done, or will be, or never: what is read from the changes of the fields.
#pragma once

#include <string>
#include <vector>

#include "core/types.hpp"

namespace umov::harmonic {

/// What the fields did up to one step. Amplitudes are the largest of any edge.
struct PseudoTimeSample {
  long step = 0;
  double size = 0;           ///< |E|
  double step_change = 0;    ///< of the phasor in one step: what the thesis stops by
  double period_change = 0;  ///< in one period of its mean without static fields
};

/// A source that is switched on leaves a static field on the grid, which may even grow slowly. Its phasor
/// turns with exp(i w t), so that it changes by the same amount in every step for ever. Half a period later
/// it is minus itself: (E(n) + 2 E(n + P/2) + E(n + P)) / 4 is the phasor without it, without one that grows
/// with the step, and with little of what is nearly static. The distance to the steady field follows from the
/// change of this mean and how fast that falls.
class PseudoTimeWatch {
 public:
  /// `scale`: amplitude of the steady field, about; `tolerance`: of the distance over the fields' size;
  /// `rounding`: changes below this, relative, are noise.
  PseudoTimeWatch(double scale, double tolerance, long ramp_steps, int steps_per_period, double rounding);

  /// With the change of the mean in some edges.
  void add(const PseudoTimeSample&, std::vector<cplx> change = {});
  /// Why the fields cannot be right, or "". To be asked at least every 50 steps.
  std::string trouble(double size) const;

  bool settled() const;
  /// Changes are noise and fall no further: no more is to be had in this precision.
  bool at_rounding() const;
  /// Estimated largest distance to the steady field over the fields' size; 1 while there is no telling.
  double distance() const { return distance_; }
  /// Periods in which changes fall by e; 0 while they do not fall.
  double decay() const { return decay_; }
  /// Steps until the distance is within the tolerance; -1 while there is no telling.
  double steps_left() const;
  const PseudoTimeSample& last() const { return last_; }

 private:
  void estimate();
  void fit(std::vector<cplx> change);

  double scale_, tolerance_, rounding_;
  long ramp_;
  int period_;
  double distance_ = 1, decay_ = 0, recent_ = 1, least_ = 0;
  double turn_[3] = {0, 0, 0};  ///< |1 - lambda| of the last samples, 0 where no one mode is left
  std::vector<cplx> before_;    ///< change in some edges, of the sample before
  PseudoTimeSample last_;
  std::vector<double> changes_;  ///< relative, of every second period after the ramp
};

}  // namespace umov::harmonic
