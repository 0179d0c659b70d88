// An engine that solves a particle with mirror planes sector by sector.
#pragma once

#include <memory>

#include "dda/engine.hpp"
#include "dda/mirror/fraction.hpp"

namespace umov::dda {

/// The incident field is the sum of its parts of every parity under the planes; each part that is not zero
/// is solved for on the particle's mirror fraction by an engine of that size, and the polarizations are put
/// together again. Fields and sums are those of the whole particle. Each sector is solved until the residual
/// of the whole is what was asked for. `planes`: those of mirror_planes(particle) that are to be used, one at
/// least. Throws what make_engine throws.
std::unique_ptr<Engine> make_mirrored_engine(const EngineRequest&, const Planes& planes);

}  // namespace umov::dda
