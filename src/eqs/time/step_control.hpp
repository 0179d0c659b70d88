// The length of the next time step: a PI controller that keeps the error near its tolerance and meets given
// times exactly.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/fields.hpp"
#include "eqs/model/waveform.hpp"
#include "eqs/simulation.hpp"

namespace umov::eqs {

/// Gustafsson 1991 (ACM Trans. Math. Softw. 17, 533): step' = 0.9 step (tol / err)^(0.7/k) (err_before /
/// tol)^(0.4/k), k the order of the error estimate; within a factor 0.2 to 5 (to 1 after a rejection).
///
/// Errors of Euler's steps add up over a number of steps that goes with the root of one over their tolerance:
/// below 1e-3 that of a step is the square of the run's over 1e-3, so that the run's error goes with its own.
///
/// Stabilised steps have that of Sommeijer, Shampine and Verwer 1998, equation (2.13), which looks ahead by
/// the last two steps: step' = 0.8 step (step / step_before) (err_before / tol)^(1/3) (tol / err)^(2/3), at
/// first and after a rejection 0.8 step (tol / err)^(1/3); within a factor 0.1 to 10.
///
/// Steps whose stages follow from errors (SpectralRadius::richter) keep these within error_range of the
/// tolerance: twice as long below it, unless a step was rejected within the last ten; above it repeated as
/// they are (with more stages), half as long from the state before when that did not help (Richter 2019,
/// section 6.2.1 and figure 6.6, which say which way, not how much).
class StepControl {
 public:
  /// `stops`: times to meet exactly (results, bends of waveforms, ends of periods), any order; those outside
  /// (from, end) are ignored. `limits`: of all waveforms; controlled steps keep them, fixed ones are as they
  /// were asked for. Throws BadInput for steps or an end that make no sense.
  StepControl(const TimeSpec&, double end, std::vector<double> stops, double from = 0,
              const std::vector<StepLimit>& limits = {});

  /// Length to try from `time`: the step at hand, cut so that it ends on the next stop. Where a step would
  /// leave less than half a step before the stop, the two share the way.
  double next(double time) const;
  /// The time that a step of next(time) ends at: a stop to the bit where it was cut to one.
  double after(double time, double dt) const;

  /// back: from the state before the last one, where that is at hand; else as repeat.
  enum class Verdict { accept, repeat, back, give_up };
  /// What the try of length dt gave. `error`: relative, as the engine estimates it. A failed try (no
  /// convergence) is repeated with a quarter of the step. give_up: the step fell below the smallest; why()
  /// names time, step and reason.
  Verdict judge(double time, double dt, double error, bool converged, const std::string& why_not);

  const std::string& why() const { return why_; }

  double step() const { return step_; }
  /// The longest that a step from a time may be, and the length of the first one.
  double longest(double time) const;
  /// Whether steps of at most `longest`, the reach of max_stages, come to the end: not of fewer than the
  /// smallest, or a million of them; why() then says so.
  bool can_take(double time, double longest);
  /// The start has decays of this rate (1/s), which its first steps may have to follow: without a smallest
  /// step of the user's own they may be as short as a millionth of it, as long as they can be told from 0.
  void allow_for(double rate);
  /// Controlled steps end at these times, ascending, whatever longer or shorter ones their errors would
  /// allow; only where one fails are others put between.
  void march_by(std::vector<double> times) { grid_ = std::move(times); }
  void begin_with(double step) { step_ = std::clamp(step, smallest_, largest_); }
  /// Scheme::automatic: which kind of step the next judge() hears of. Each kind goes by errors of its own.
  void follow(bool stabilised) {
    if (ahead_ != stabilised) before_ = step_before_ = 0;
    ahead_ = stabilised;
  }
  bool fixed() const { return fixed_; }
  double end() const { return end_; }
  bool done(double time) const { return time >= end_; }

  /// What a resumed run needs.
  struct Memory {
    double step = 0, error_before = 0;
    bool after_rejection = false;
    double step_before = 0;
    bool ahead = false;
    int calm = 0;
    UMOV_FIELDS(step, error_before, after_rejection, step_before, ahead, calm)
  };
  Memory memory() const { return {step_, before_, after_rejection_, step_before_, ahead_, calm_}; }
  void recall(const Memory& m) {
    step_ = m.step, before_ = m.error_before, after_rejection_ = m.after_rejection;
    step_before_ = m.step_before, ahead_ = m.ahead, calm_ = m.calm;
  }

 private:
  bool fixed_, ahead_, keeps_, own_smallest_;
  int rejections_ = 0, calm_ = 1000;  // keeps_: in a row; accepted ones since the last rejection
  double tolerance_, asked_;          // of a step; of the run, as the user gave it
  double step_, smallest_, largest_, end_;
  double nominal_;  // fixed: the length to come back to after a failed try
  int order_;       // power of the step in the estimate
  std::vector<double> stops_, grid_;
  /// The longest step from a time until the next one, ascending.
  struct Limit {
    double from, step;
  };
  std::vector<Limit> limits_;
  void set_limits(const std::vector<StepLimit>&);
  /// step_ within the limit at a time.
  double allowed(double time) const;
  double before_ = 0, step_before_ = 0;
  /// Factor for the step after an accepted one of dt with the error e, in tolerances.
  double growth(double dt, double e) const;
  Verdict keep(double time, double dt, double error, bool converged, const std::string& why_not);
  std::string reason(double dt, double error, bool converged, const std::string& why_not) const;
  Verdict shorten(double time, double step, Verdict, const std::string& why);
  bool after_rejection_ = false;
  std::string why_;
};

}  // namespace umov::eqs
