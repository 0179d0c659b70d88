// Which of the two methods of Scheme::automatic takes the next step: the one whose work per time is less.
#pragma once

#include <cstdint>
#include <functional>

#include "eqs/engine.hpp"

namespace umov::eqs {

/// Work is counted in iterations of the conjugate gradients, not in seconds, so that a run gives the same
/// bits wherever and however often it is done. The rest of a step is charged by the bytes that it moves
/// beside those of an iteration.
double work_of(const Effort&);

class MethodChoice {
 public:
  enum class Method : std::uint8_t { implicit_steps, stabilised_steps };

  /// tolerance: of a step's error; 0: steps are fixed.
  explicit MethodChoice(double tolerance) : tolerance_(tolerance) {}

  Method method() const { return method_; }
  /// Before the next step, of about dt by the method at hand; none may be longer than `most`. `stages`: those
  /// of a stabilised step of a length. The first two steps are one of each, unless the first would be of very
  /// many stages. Later ones change to the other method when it is expected to do with 0.8 of the work per
  /// time and the same error of a run, two steps after the last change at least. Where errors of stabilised
  /// steps would add up to many tolerances all are implicit.
  void choose(double dt, double most, const std::function<int(double)>& stages);
  /// A try by the method at hand. One that failed gives the next to the other method.
  void tried(const StepTry&);
  /// The last try, of length dt, was accepted.
  void accepted(double dt, double error);

  template <class Archive>
  void state(Archive& archive) {
    archive(method_);
    archive(forced_);
    for (Known* k : {&implicit_, &stabilised_}) {
      archive(k->steps);
      archive(k->work);
      archive(k->error_constant);
    }
    archive(work_);
    archive(stages_);
    archive(ratio_);
    archive(since_change_);
  }

 private:
  /// What is known of a method from its steps so far, of late ones more.
  struct Known {
    int steps = 0;
    double work = 0;            ///< of a step; stabilised: of a stage
    double error_constant = 0;  ///< error / dt^3 of its last step
  };
  Known& known() { return method_ == Method::implicit_steps ? implicit_ : stabilised_; }
  void change();
  /// The length that steps of the method at hand come to, by their error.
  double length(double dt, double most);
  void learn_ratio();

  double tolerance_;
  Method method_ = Method::stabilised_steps;
  bool forced_ = false;  // after a failure
  Known implicit_, stabilised_;
  double work_ = 0;  // of the tries of this step
  int stages_ = 0;
  double ratio_ = 1;  // of stabilised steps' length over that of implicit ones of the same error
  int since_change_ = 0;
};

}  // namespace umov::eqs
