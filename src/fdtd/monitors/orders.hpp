// Monitors of kind orders: diffraction orders through a plane across a periodic cell.
#pragma once

#include <string>
#include <vector>

#include "fdtd/monitors/kind.hpp"
#include "fdtd/monitors/spectrum_errors.hpp"

namespace umov::fdtd {

/// Diffraction orders through a plane across a periodic cell, one entry per frequency and order that
/// propagates there. The transverse wave vector of an order is that of the incident wave plus 2 pi m / period
/// along the first axis of the plane (x before y before z), 2 pi n / period along the second. Amplitudes a
/// are such that |s|^2 + |p|^2 is the efficiency: power over that of the incident wave (or, not `normalized`,
/// flux as in FluxResult); their phases are those in the plane where its other coordinates are 0, relative to
/// an incident plane wave at the origin. s is E along z (2D), or along normal x k; p along s x k.
struct OrdersResult {
  std::string name;
  bool normalized = true;
  std::vector<double> frequency;
  std::vector<int> m, n;
  std::vector<double> angle;    ///< from the normal, degrees; 2D: towards the plane's axis, with sign
  std::vector<double> azimuth;  ///< 3D: of the transverse wave vector from the plane's first axis, degrees
  std::vector<double> forward, backward;  ///< efficiencies of travel along and against the normal
  SpectrumErrors forward_errors, backward_errors;
  std::vector<cplx> s_forward, p_forward, s_backward, p_backward;
  std::size_t size() const { return frequency.size(); }
};

Part make_orders(const MonitorSpec&, const Simulation&, const Scene&, Problem&);

}  // namespace umov::fdtd
