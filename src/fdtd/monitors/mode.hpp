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

/// Amplitudes of a waveguide mode through a plane: |amplitude|^2 is its flux, units as for FluxResult;
/// forward is towards the monitor's direction. They are measured at the nearest node and moved to the plane
/// that was asked for, by exp(i beta d) and exp(-i beta d), with beta of the grid. effective_index_im: what
/// lossy media of the plane make of it, above 0 where waves decay.
struct ModeResult {
  std::string name;
  std::vector<double> frequency, effective_index, effective_index_im;
  std::vector<cplx> forward, backward;
};

/// `solved`: the modes of the monitors before it.
Part make_mode(const MonitorSpec&, const Simulation&, Problem&, SolvedModes& solved);

}  // namespace umov::fdtd
