// The two courses of a dipole run: one orientation of the particle, or the average over many.
#pragma once

#include "dda/run/inputs.hpp"
#include "dda/run/integration.hpp"
#include "dda/run/matrices.hpp"
#include "dda/run/solve.hpp"

namespace umov::dda {

/// A run at one orientation in its parts, so that several can be solved for together: what is to be solved
/// for, what each solution adds, and the outcome with what was found.
class OneOrientation {
 public:
  OneOrientation(const Prepared&, const Angles&, Journal&, TimerTable&);
  /// Both polarizations, or one where symmetry gives the other.
  std::vector<Incident> incidents() const;
  void take(const Solution&);
  Outcome finish();

 private:
  const Prepared& p_;
  const Angles& angles_;
  Journal& journal_;
  TimerTable& timers_;
  Integration integration_;
  Directions directions_;
  Amplitudes y_, x_;
  Outcome out_;
};

/// Both return an outcome with what was found: polarizations, rows, integrals, notes of their own.
Outcome single_orientation(const Prepared&, const Angles&, Engine&, Journal&, TimerTable&);
Outcome average_orientations(const Prepared&, const Angles&, Engine&, Journal&, TimerTable&);

}  // namespace umov::dda
