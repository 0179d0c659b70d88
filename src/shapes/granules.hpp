// Filling one domain of a particle with randomly placed spheres.
#pragma once

#include "shapes/particle.hpp"

namespace umov::shapes {

/// Turns `granules.fraction` of domain `granules.domain` into the particle's last domain, which must be
/// counted in `materials` and still empty. Spheres do not overlap and lie wholly inside the domain. The same
/// request always gives the same particle. Throws BadInput if the fraction cannot be reached.
void place_granules(Particle&, const Request::Granules&);

}  // namespace umov::shapes
