// One incident polarization of a dipole run: the wave at the dipoles and their polarizations in it.
#pragma once

#include <functional>
#include <span>
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
  FarFieldSums shared{};  ///< with the other waves of a block; empty = alone

  FarFieldSums far_field() const {
    return [this](std::span<const Vec3> n, std::span<CVec3> sums) { engine.far_field(n, sums); };
  }
  /// For directions that waves seen from the same ones ask for, too: one pass over the dipoles for them.
  FarFieldSums shared_far_field() const { return shared ? shared : far_field(); }
};

/// Throws BadInput where the formulation has no polarizability.
Incident make_incident(const Prepared&, const BeamFrame&, char label);

/// Solves for several, in blocks of one polarizability where the case has blocks, else one by one; use(i,
/// solution) is called for each while the engine holds its polarizations: one by one in order, blocks as they
/// come. Throws Interrupted; a solve that does not converge says so in its report.
void solve_each(const Prepared&, std::span<const Incident>, Engine&, Journal&, TimerTable&,
                const std::function<void(std::size_t, const Solution&)>& use);

/// Reads the fields of one incident wave that come from files, and throws what a solve would.
void check_fields(const Prepared&, const Incident&);

}  // namespace umov::dda
