// One incident polarization of a dipole run: the wave at the dipoles and their polarizations in it.
#pragma once

#include <vector>

#include "dda/run/observer.hpp"
#include "dda/run/prepare.hpp"

namespace umov::dda {

/// One polarization of the incident wave on the particle in one orientation.
struct Incident {
  char label = 'Y';          ///< 'Y' (parallel) or 'X' (perpendicular)
  BeamFrame frame;           ///< of the orientation
  std::vector<CVec3> alpha;  ///< polarizability per material (um^3); LDR depends on the wave
};

/// The dipoles' polarizations in one incident wave. They lie in the engine until it solves again.
struct Solution {
  const Engine& engine;
  Incident incident;
  SolveReport report;

  FarFieldSums far_field() const {
    return [this](std::span<const Vec3> n, std::span<CVec3> sums) { engine.far_field(n, sums); };
  }
};

/// Throws BadInput where the formulation has no polarizability.
Incident make_incident(const Prepared&, const BeamFrame&, char label);

/// Throws Interrupted; a solve that does not converge says so in its report.
Solution solve(const Prepared&, const Incident&, Engine&, Journal&, TimerTable&);

/// Reads the fields of one incident wave that come from files, and throws what a solve would.
void check_fields(const Prepared&, const Incident&);

}  // namespace umov::dda
