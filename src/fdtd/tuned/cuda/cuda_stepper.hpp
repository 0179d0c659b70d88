// The stepper of the cuda engine: chooses among the tuned ones by what a problem needs.
#pragma once

#include <optional>

#include "fdtd/simple_stepper.hpp"
#include "fdtd/tuned/cuda/march_stepper.hpp"
#include "fdtd/tuned/cuda/persistent.hpp"

namespace umov::fdtd {

/// See SimpleStepper; for real fields. Small grids stay on the chip; larger ones, in single precision, go in
/// passes of several steps where these pay, with simple steps for the rest.
template <class Dev, class T, class F>
class CudaStepper {
  static_assert(std::is_same_v<T, F>);
  using S = State<Dev, T, F>;
  using P = Passes<Dev, T, F>;
  static constexpr bool marches = std::is_same_v<F, float>;

 public:
  /// On the GPU that is selected.
  static bool fits(const Problem& p) {
    if (p.grid.graded()) return false;
    const auto limits = backend::cuda::current_limits();
    if (tuned::PersistentStepper<T>::fits(p, limits)) return true;
    return marches && tuned::MarchStepper::has_room(p) && tuned::MarchStepper::steps_for(p, limits) > 0;
  }
  /// Steps that it takes in one pass through memory, on the GPU that is selected; 1: one by one, or as many
  /// as there are to take.
  static int steps_of_pass(const Problem& p) {
    if (p.grid.graded()) return 1;
    const auto limits = backend::cuda::current_limits();
    if (tuned::PersistentStepper<T>::fits(p, limits)) return 1;
    return std::max(1, tuned::MarchStepper::steps_for(p, limits));
  }
  CudaStepper(S& s, P& p, const Problem& problem) : simple_(s, p, problem) {
    const auto& limits = s.dev.limits();
    if (tuned::PersistentStepper<T>::fits(problem, limits)) {
      persistent_.emplace(s, problem, limits);
    } else if constexpr (marches) {
      march_.emplace(s, problem, tuned::MarchStepper::steps_for(problem, limits), limits);
    }
  }

  void advance(S& s, P& p, long first, long steps) {
    if (persistent_) return persistent_->advance(s, p, first, steps);
    if constexpr (marches)
      for (; steps >= march_->steps(); steps -= march_->steps(), first += march_->steps())
        march_->pass(s, p, first);
    simple_.advance(s, p, first, steps);
  }
  void join(S& s, const Border& border) {
    if constexpr (marches)
      if (march_) march_->join(s, border);
  }
  bool has_borders_first(long steps) const {
    return march_ && march_->has_borders_first() && steps == march_->steps();
  }
  void advance(S& s, P& p, long first, long, const BorderCalls& border) {
    if constexpr (marches) march_->pass(s, p, first, border);
  }
  void flush(S&) {}
  void reload(S&) {}
  std::size_t bytes() const {
    return (persistent_ ? persistent_->bytes() : 0) + (march_ ? march_->bytes() : 0);
  }
  std::string variant() const { return persistent_ ? persistent_->variant() : march_->variant(); }

 private:
  SimpleStepper<Dev, T, F> simple_;
  std::optional<tuned::PersistentStepper<T>> persistent_;
  std::optional<tuned::MarchStepper> march_;
};

}  // namespace umov::fdtd
