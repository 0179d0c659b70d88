// Which mirror planes of a particle a run uses.
#pragma once

#include <string>
#include <string_view>

#include "dda/machine.hpp"
#include "dda/mirror/fraction.hpp"
#include "dda/scheme/frames.hpp"
#include "dda/simulation.hpp"

namespace umov::dda {

/// None used where the case or `auto` says so; `why` in words, empty where nobody asked.
struct SectorChoice {
  Planes planes{};
  bool automatic = false;  ///< chosen, not demanded: on processors only, no gain is known elsewhere
  std::string why;

  bool used() const { return planes[0] || planes[1] || planes[2]; }
  bool used_on(const std::string& backend) const { return used() && !(automatic && backend == "cuda"); }
  /// What the run's log says.
  std::string words(const std::string& backend) const {
    return used() && !used_on(backend) ? "none (auto: the whole takes less time on GPUs)" : why;
  }
};

/// All planes of the particle, where that takes less time for the sectors that the incident waves excite.
/// Throws BadInput where sectors are demanded of a particle or a precision that has none.
SectorChoice choose_sectors(const Simulation&, const Machine&, const shapes::Particle&, const IncidentFrame&,
                            std::string_view labels);

/// Sectors that one polarization excites: an average and beams, all; a plane wave, one for each plane that
/// holds its direction of propagation and is normal to its field or holds it, too.
int sectors_excited(const Simulation&, const Planes&, const IncidentFrame&, char label);

}  // namespace umov::dda
