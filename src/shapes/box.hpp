// The box of a particle without the particle.
#pragma once

#include "shapes/particle.hpp"

namespace umov::shapes {

/// Sites along x, y and z of what `make_particle` makes of the same request, in no more time and memory than
/// reading its file takes. Throws BadInput as that does.
Int3 particle_box(const Request&);

}  // namespace umov::shapes
