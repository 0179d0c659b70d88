// Monitors of kind near_to_far: a surface around all that radiates, and what it sends to far away.
#pragma once

#include <string>
#include <vector>

#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/kind.hpp"
#include "fdtd/monitors/spectrum_errors.hpp"

namespace umov::fdtd {

struct NearToFarSpec {
  std::vector<double> theta, phi;  ///< directions, degrees; empty: every degree in the plane
};

/// Far field: radiant intensity per solid angle (3D) or angle (2D), units as for FluxResult. Amplitudes
/// belong to fields E exp(i k r) / r (3D), E exp(i k rho) / sqrt(rho) (2D), r from the domain's centre.
struct FarFieldResult {
  std::string name;
  std::vector<double> frequency, theta, phi;  ///< degrees; theta and phi have one entry per direction
  std::vector<double> intensity;              ///< [frequency][direction], times |E|^2 time^2
  std::vector<cplx> e_theta, e_phi;           ///< amplitudes, [frequency][direction]
  std::vector<double> power;                  ///< flux out of the surface, per frequency
  std::vector<double> scattering_cross_section, extinction,
      absorption;  ///< with a plane wave: lengths^(d-1) per frequency
  SpectrumErrors scattering_errors, extinction_errors, absorption_errors;
};

Part make_near_to_far(const MonitorSpec&, const Simulation&, const Scene&, Problem&);

}  // namespace umov::fdtd
