// The plane wave of a case: its box of total field, direction and timing, for sources and for monitors.
#pragma once

#include <string>

#include "fdtd/problem.hpp"
#include "fdtd/scene.hpp"
#include "fdtd/simulation.hpp"
#include "fdtd/sources/dispersion.hpp"

namespace umov::fdtd {

/// Nodes lo <= i <= hi of each axis hold the total field; a face that is absent leaves its side open
/// (periodic walls, a wave along a wall, the far end of a layered medium).
struct TotalFieldBox {
  Int3 lo{0, 0, 0}, hi{0, 0, 0};
  std::array<std::array<bool, 2>, 3> face{};  ///< [axis][low, high]
};

/// An undisturbed plane wave: E at r is polarization * s(t - entry - direction.r * index).
struct PlaneWaveSetup {
  TotalFieldBox box;
  Vec3 direction{1, 0, 0}, polarization{0, 0, 1};
  double index = 1;      ///< of the medium at the box's faces
  double impedance = 1;  ///< E / H there
  double entry = 0;      ///< unit / c: the signal starts when the wave first meets the box
  WaveFamily family;     ///< wave vectors on the grid
};

/// Unit vectors of travel and of E.
struct WaveDirection {
  Vec3 travel{1, 0, 0}, polarization{0, 0, 1};
};

/// By theta and phi. In two dimensions E is along z (TM) or z x direction (TE); in three, polarization_angle
/// turns it from e_theta towards e_phi. Throws BadInput naming the source for a wave of one dimension that
/// does not travel along it.
WaveDirection wave_direction(const SourceSpec&, const Grid&, const std::string& owner);

/// Works out box, direction and medium of a plane-wave source. `problem` has grid, walls and materials.
///
/// With periodic walls the wave vector along the period is that of the walls' phase, and the direction must
/// agree with it to 2 % of the wave number at the carrier.
///
/// The box is that of center and size; an extent of 0 means up to `margin` cells from the absorbing layers,
/// and all the way through periodic walls and along walls the wave fits. When only one axis has faces
/// (layered media), extent 0 leaves out the far face: the total field goes on to the far wall.
///
/// Throws BadInput naming the source: faces that cross materials, absorbing layers or the domain's ends, a
/// medium with losses or poles, a direction that the walls do not allow.
PlaneWaveSetup plane_wave_setup(const SourceSpec&, const Problem&, const std::string& owner = "plane wave");

/// Its box alone, which does not depend on materials.
TotalFieldBox plane_wave_box(const SourceSpec&, const Problem&, const std::string& owner);

/// Throws BadInput naming the source where the wave is not its own image in the symmetry plane across an
/// axis, through which the tangential E is even or odd.
void require_mirror_image(const SourceSpec&, const Grid&, const std::string& owner, int axis, bool even);

/// How a source is launched.
struct Launch {
  double end = 0;      ///< when its last part has been sent; infinity for an endless wave
  double settled = 0;  ///< of an endless wave, from when on it is sent at full strength
  double angle = 0;    ///< degrees from the normal of its face at the carrier; 0 without periods along it
  double gain = 1;     ///< share of the amplitude that is launched at the carrier
  double cutoff = 0;   ///< frequency at which it grazes its face, and below it nothing travels; 0: none
  Vec3 along_period{0, 0, 0};  ///< of an oblique plane wave: the wave vector along its periods, on the grid
  double index = 1;            ///< of the medium that an oblique plane wave comes from
  double fade_middle = 0, fade_width = 1, share_at_carrier = 1;  ///< of its GrazingFade, as frequencies

  /// How many times longer its carrier takes along the normal of its face than straight ahead.
  double slowness() const;
  /// Amplitude that is launched at a frequency, as a share of that of the signal; grazing waves alone count.
  double share(double frequency) const;
};

/// Of plane waves that are oblique to a period end and settled are later than their signals': near grazing
/// frequencies are faded out, which spreads the signal (PlaneWaveTiming).
Launch launch_of(const SourceSpec&, const Problem&);
/// The same before a problem is posed; what posing it would refuse is taken as the signal alone.
Launch launch_of(const SourceSpec&, const Simulation&, const Scene&, const Grid&);

/// What is added to the wave vector of the Bloch walls (2 pi / unit) so that plane waves which are oblique to
/// them are cut off on the grid where they are in space: the grid bends a wave that travels along it, and
/// near grazing all of the little that is left of its normal wave number is at stake. Zero unless plane
/// waves, all of one wave vector along the periods, are the only sources, and where resonances of that very
/// vector are looked for.
Vec3 bloch_shift(const Simulation&, const Scene&, const Grid&);

}  // namespace umov::fdtd
