// Monitors of kind mode: amplitudes of a waveguide mode through a plane.
#pragma once

#include <string>
#include <vector>

#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/kind.hpp"

namespace umov::fdtd {

struct ModeSpec {
  int mode = 1;  ///< number, from 1
};

/// Amplitudes of a waveguide mode through a plane: |amplitude|^2 is its flux, units as for FluxResult, phases
/// are those in the plane; forward is towards the monitor's direction.
struct ModeResult {
  std::string name;
  std::vector<double> frequency, effective_index;
  std::vector<cplx> forward, backward;
};

/// `solved`: the modes of the monitors before it.
Part make_mode(const MonitorSpec&, const Simulation&, Problem&, SolvedModes& solved);

}  // namespace umov::fdtd
