// The number of stages of stabilised explicit steps by their errors alone.
#pragma once

#include "eqs/simulation.hpp"

namespace umov::eqs {

/// In tolerances: what the errors of steps are kept within.
struct ErrorRange {
  double least, most;
};
inline constexpr ErrorRange error_range{0.01, 0.7};
/// Accepted in a row, after which there are fewer stages.
inline constexpr int calm_steps = 10;

/// The heuristic of Richter 2019 (section 6.2.1, figures 6.6 and 9.6), which says which way, not how much. A
/// step whose error is too large has left the region of stability, it is taken for granted: it is repeated
/// with half as many stages more here, enough for one that has become twice as long. If that does not help,
/// the step becomes shorter (StepControl), with as many stages as before, whose region reaches further then.
/// Ten accepted steps in a row take a tenth of the stages away, one at least (of rkl2, whose numbers are odd,
/// two).
class StageCount {
 public:
  StageCount(Scheme scheme, int largest) : scheme_(scheme), largest_(largest) {}

  /// Of the next step; `first`: of the first one, by what is known of the decay at the start.
  int of_step(int first);
  /// The error of the step tried, in tolerances; infinite where it could not be done.
  void tried(double error);
  void accepted();

  template <class Archive>
  void state(Archive& archive) {
    archive(stages_);
    archive(accepted_);
  }

 private:
  int admissible(double stages) const;

  Scheme scheme_;
  int largest_, stages_ = 0, before_ = 0;  // before_: the last raise
  int rejected_ = 0, accepted_ = 0;        // in a row
};

}  // namespace umov::eqs
