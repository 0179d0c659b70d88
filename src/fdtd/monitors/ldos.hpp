// Monitors of kind ldos: the power that a point current gives, over that in a homogeneous medium.
#pragma once

#include <string>
#include <vector>

#include "fdtd/monitors/kind.hpp"

namespace umov::fdtd {

/// Power of the point current, - Re(E conj(I)) / 2 with transforms of the field and of the current in its
/// place, as FluxResult's; over that in a homogeneous medium it is the Purcell factor, and the local density
/// of states over the medium's.
struct LdosResult {
  std::string name;
  Component component = Ez;  ///< of the current
  std::vector<double> frequency, power;
  std::vector<double> homogeneous;  ///< by the reference run, else by the formula for the medium in the place
  double index = 1;                 ///< of that medium
  bool by_reference = false;
};

/// Throws BadInput naming the monitor: no single point current that drives an E softly, Bloch walls, a medium
/// with losses in its place.
Part make_ldos(const MonitorSpec&, const Simulation&, Problem&);

}  // namespace umov::fdtd
