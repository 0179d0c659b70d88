// The faces of a plane wave's box: the medium they lie in, and when the wave meets them.
#pragma once

#include <string>
#include <vector>

#include "fdtd/sources/faces.hpp"
#include "fdtd/sources/plane_wave.hpp"
#include "fdtd/sources/waveform.hpp"

namespace umov::fdtd {

std::vector<Face> plane_wave_faces(const TotalFieldBox&);

/// Relative permittivity and permeability that all updates crossing the faces have. Throws BadInput naming
/// the owner when they differ or have losses, poles or off-diagonal parts.
std::array<double, 2> uniform_medium(const Problem&, const std::vector<Face>&, const std::string& owner);

/// How a wave with a vector fixed along the period is faded in from grazing upwards, where it travels along
/// the face and hardly ever leaves. An error function, whose response in time is as short as that of any fade
/// of its width: cut off beyond `reach` it leaves 1e-6 of the power at the carrier, and 3e-6 of the amplitude
/// at grazing.
struct GrazingFade {
  GrazingFade(const Grid&, const WaveFamily&, double carrier);  ///< angular frequency, above grazing
  double gain(double w) const;
  double middle = 0, width = 1;
  double reach = 0;  ///< time before and after the signal
  double speed = 1;  ///< of the carrier along the normal, over that of light in the medium
};

/// Where along family.along the wave first meets the box (half a cell outside), and by how many steps its
/// signal is held back: with a wave vector fixed along the period, frequencies near grazing are cut off
/// smoothly, which spreads the signal to earlier times too.
struct PlaneWaveTiming {
  double first_place = 0;
  long lead = 0;
  /// Steps after which the last of the signal has been sent, from its end on.
  long trail() const { return lead > 0 ? 2 * lead + 64 : 0; }
};
PlaneWaveTiming plane_wave_timing(const Problem&, const PlaneWaveSetup&, const Signal&);

/// Share of its amplitude with which a wave is launched at angular frequency w: fully where pulses are faster
/// than a third of the speed of light, not at all below a fifth; with a wave vector fixed along the period
/// faded in from grazing upwards, so that it is 1 at the carrier.
double plane_wave_gain(const Grid&, const WaveFamily&, const GridWave&, double w, double carrier);

}  // namespace umov::fdtd
