// The plane wave of a case: its box of total field, direction and timing, for sources and for monitors.
#pragma once

#include "fdtd/problem.hpp"
#include "fdtd/simulation.hpp"

namespace umov::fdtd {

/// Nodes lo <= i <= hi of each axis hold the total field; a face that is absent leaves its side open (periodic
/// walls, a wave along a wall, the far end of a layered medium).
struct TotalFieldBox {
  Int3 lo{0, 0, 0}, hi{0, 0, 0};
  std::array<std::array<bool, 2>, 3> face{};  ///< [axis][low, high]
};

/// An undisturbed plane wave: with a nominal time t0 of entry, E at r is polarization * s(t - t0 - index
/// direction.r).
struct PlaneWaveSetup {
  TotalFieldBox box;
  Vec3 direction{1, 0, 0}, polarization{0, 0, 1};
  double index = 1;      ///< of the medium at the box's faces
  double impedance = 1;  ///< E / H there
  double entry = 0;      ///< t0: the signal starts where the wave first meets the box
};

/// Works out box, direction and medium of a plane-wave source. `problem` has grid, walls and materials. Throws
/// BadInput naming the source: faces that cross materials or absorbing layers, a direction that periodic walls
/// do not allow.
PlaneWaveSetup plane_wave_setup(const SourceSpec&, const Problem&);

}  // namespace umov::fdtd
