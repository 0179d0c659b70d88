// Fields that grow without bound: how that is noticed, and what the likely cause is.
#pragma once

#include <string>

#include "fdtd/engine.hpp"
#include "fdtd/scene.hpp"

namespace umov::fdtd {

/// Watches the energy of a run.
class DivergenceWatch {
 public:
  /// `settled_step`: from there on the energy of endless sources grows no faster than a resonance does;
  /// `silent_step`: from there on it does not grow at all. `heaviest`: the largest permittivity, by which the
  /// energy that is watched (without it) may change as waves move about.
  DivergenceWatch(long settled_step, long silent_step, double heaviest)
      : settled_(settled_step), silent_(silent_step), heaviest_(heaviest) {}

  /// Why the fields at this step cannot be right, or "".
  std::string check(long step, const FieldWatch&);

  /// How many times the energy of a silent run has grown since it was least; 1 while it only falls. Compares
  /// the largest values of spans of a few periods, as the energy of currents is not watched. A resumed run
  /// begins anew.
  double growth(long step, const FieldWatch&);
  static constexpr double too_much_growth = 10;

  struct State {
    double largest = 0;  ///< energy until the sources ended
    double mark = 0;     ///< energy at mark_step, to compare with when twice as many steps are done
    long mark_step = 0;
  };
  const State& state() const { return state_; }
  void restore(const State& state) { state_ = state; }

 private:
  long settled_, silent_;
  double heaviest_;
  State state_;
  long span_end_ = 0;
  double span_ = 0, least_ = 0, grown_ = 1;
};

/// The likely cause of a divergence noticed after `step` steps, and what to do about it.
std::string likely_cause(const Simulation&, const Scene&, const Problem&, long step);

}  // namespace umov::fdtd
