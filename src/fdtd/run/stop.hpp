// When a run in time ends: criteria, their defaults and limits, and their state during a run.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "fdtd/observables/monitors.hpp"

namespace umov::fdtd {

/// Steps between looks at the fields: divergence and criteria are noticed at multiples of it.
inline constexpr long watch_interval = 100;

/// The end of a run as decided before it.
struct StopPlan {
  Stop stop;              ///< with defaults
  long limit = 0;         ///< the last step there can be
  long patience = 0;      ///< of a lenient run: the last step where the end is not foreseen before the limit
  bool fixed = true;      ///< the limit is the end
  bool lenient = false;   ///< a default that need not be met: reaching the limit first is no failure
  double silent_at = 0;   ///< time at which the last source ends; infinity if one never does
  double settled_at = 0;  ///< time from which endless sources oscillate steadily all over the domain
  long fourier_every = watch_interval, steady_every = watch_interval;  ///< steps between these checks
  static constexpr int quiet_looks = 4;  ///< checks of Fourier monitors in a passage of the domain
  std::string text;                      ///< in words
};

/// What is known of slow waves in a cell whose orders are known.
struct SlowWaves {
  double slowness = 1;     ///< how many times longer the slowest take across it
  bool looked_at = false;  ///< in flat cells: monitors see them
};

/// Defaults, when the case says nothing: endless waves run until they are steady to a hundredth, or for 50
/// periods or 8 passages of the domain where that is not foreseen before the limit; pulses until a millionth
/// of the energy is left, a tenth of that where monitors look at slow waves; with monitors of resonances for
/// 300 periods after the pulse. The limit of a criterion is what lies 200 periods or 50 passages of the
/// domain, at the pace of the highest index, beyond the sources' switching. Throws BadInput for a criterion
/// that the sources cannot meet.
StopPlan plan_stop(const Simulation&, const Scene&, const Grid&, const SlowWaves& = {});

/// The criteria while a run goes on. All that were asked for must hold.
class StopRule {
 public:
  StopRule(const StopPlan& plan, const Grid& grid) : plan_(plan), dt_(grid.dt) {}

  /// Looks at the fields after a step; asks the monitors when it is their turn. The reason to stop, if any;
  /// of a lenient run that has no patience left, too.
  std::optional<std::string> check(long step, const FieldWatch&, Monitors&, const Engine&);
  /// Why a lenient run ends at this step without being steady.
  std::string not_steady(long step) const;
  /// How far it is, e.g. "energy 3.1e-04 -> 1e-06".
  std::string measure() const;

  /// What changes during a run, for checkpoints.
  struct State {
    double largest_energy = 0, energy_left = 1;
    double fourier = std::numeric_limits<double>::infinity(),
           steady = std::numeric_limits<double>::infinity();
    int quiet = 0;  ///< checks since Fourier monitors changed by more than they may
  };
  const State& state() const { return state_; }
  void restore(const State& state) { state_ = state; }

 private:
  StopPlan plan_;
  double dt_;
  State state_;
};

}  // namespace umov::fdtd
