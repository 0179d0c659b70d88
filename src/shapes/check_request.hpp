// Conditions on a request for a particle. All throw BadInput.
#pragma once

#include "shapes/recipe.hpp"

namespace umov::shapes {

/// Each value by itself: grid, lengths, granules.
void check_request(const Request&);

/// That no more is given than fixes the grid and the scale, once the shape is known.
void check_redundancy(const Request&, const Recipe&);

}  // namespace umov::shapes
