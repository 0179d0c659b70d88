// The stepper of the cuda engine: chooses among the tuned ones by what a problem needs.
#pragma once

#include "fdtd/simple_stepper.hpp"
#include "fdtd/tuned/cuda/march_stepper.hpp"

namespace umov::fdtd {

/// See SimpleStepper. Passes of several steps where they fit and pay, simple steps for the rest.
template <class Dev, class T, class F>
class CudaStepper {
  using S = State<Dev, T, F>;
  using P = Passes<Dev, T, F>;

 public:
  static bool fits(const Problem& p) {
    if constexpr (std::is_same_v<F, float>)
      return tuned::MarchStepper::steps_for(p) > 0;
    else
      return false;
  }
  CudaStepper(S& s, P& p, const Problem& problem) : simple_(s, p, problem) {
    const int steps = tuned::MarchStepper::steps_for(problem);
    if (steps > 0) march_.emplace(s, problem, steps);
  }

  void advance(S& s, P& p, long first, long steps) {
    if (march_)
      for (; steps >= march_->steps(); steps -= march_->steps(), first += march_->steps())
        march_->pass(s, p, first);
    simple_.advance(s, p, first, steps);
  }
  void flush(S&) {}
  void reload(S&) {}
  std::size_t bytes() const { return march_ ? march_->bytes() : 0; }

 private:
  SimpleStepper<Dev, T, F> simple_;
  std::optional<tuned::MarchStepper> march_;
};

}  // namespace umov::fdtd
