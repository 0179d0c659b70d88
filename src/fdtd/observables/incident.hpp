// The plane wave that a far field is measured against: its phasor on the grid.
#pragma once

#include <optional>

#include "fdtd/observables/far_field.hpp"
#include "fdtd/sources/plane_wave_faces.hpp"

namespace umov::fdtd {

/// An undisturbed plane wave of the case, exactly as its source launches it on the grid.
class IncidentWave {
 public:
  IncidentWave(const SourceSpec&, const Problem&);

  const TotalFieldBox& box() const { return setup_.box; }
  const PlaneWaveSetup& setup() const { return setup_; }
  /// Its Fourier transform at the origin, E along `wave`'s polarization, of the complex signal where fields
  /// are complex; 0 where it is not launched. An endless wave is cut off at the time `until`.
  cplx amplitude(double frequency, double until) const;
  FarWave wave(double frequency) const;
  /// (1/2) |E|^2 / impedance.
  double intensity(double frequency, double until) const;
  /// Flux along +axis per area (length, in two dimensions) of a plane of nodes, with E and the mean H of the
  /// grid.
  double flux_density(int axis, double frequency, double until) const;

 private:
  Grid grid_;
  bool complex_;
  Signal signal_;
  PlaneWaveSetup setup_;
  PlaneWaveTiming timing_;
};

/// The plane wave of a case whose monitor's faces are to see scattered fields only: nothing without plane
/// waves. Throws BadInput when there are several, when the wave's box is open (layered media: its fields pass
/// the surface) or when a face does not lie outside the box.
std::optional<IncidentWave> incident_wave(const MonitorSpec&, const std::vector<PlaneFace>&, const Whole&,
                                          const Simulation&, const Problem&);

/// The one plane wave of a case; of several, or with other sources, none is the incident one.
std::optional<IncidentWave> only_plane_wave(const Simulation&, const Problem&);

}  // namespace umov::fdtd
