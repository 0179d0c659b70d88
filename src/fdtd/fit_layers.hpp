// Absorbing layers chosen by the waves that a run has.
#pragma once

#include <string>

#include "fdtd/scene.hpp"
#include "fdtd/simulation.hpp"

namespace umov::fdtd {

struct FittedLayers {
  PmlSettings settings;  ///< the case's own, or what absorbs its waves better
  std::string note, warning;
  double growth = 0;  ///< the share of its frequency by which a wave that bodies guide grows, at most
  double slowness =
      1;  ///< how many times longer the slowest waves of the pulse take across the cell; at most 20
  bool grazing = false;  ///< the cell is flat, and the waves that monitors look at are slow
};

/// What waves do in a layer depends on how much of the wave number is left across it, the cosine of their
/// angle: near grazing sigma has to rise with its inverse. Of cells whose orders are known (end_waves.hpp)
/// the largest reflection at the frequencies of the monitors is made small, and of what else a pulse holds
/// ten times as much is let through: by strength and order of sigma and by alpha, and where that is not
/// enough, where there is room and where the case does not say how many, by more layers. Profiles that the
/// case gives are left alone, and so are all that are good enough. Warns where monitors will see more than a
/// thousandth of an amplitude.
///
/// A wave that bodies guide along the walls decays towards the layers. They turn the phase of what their wall
/// sends back of it, by 2 q int sigma / w at a decay q, and in every other half turn that feeds it. In all
/// cells in which bodies may guide waves that nothing absorbs, layers are therefore fitted so that these
/// waves come back weak: alpha of the order of w makes them decay.
FittedLayers fit_layers(const Simulation&, const Scene&, const Grid&);

}  // namespace umov::fdtd
