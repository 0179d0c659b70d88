// Surfaces in closed form through points.
#pragma once

#include <optional>
#include <vector>

#include "mesh/round/surface.hpp"

namespace umov::mesh {

/// The sphere through points, or else the cylinder, cone or torus, where none lies farther off it than
/// `within` (m). `normals`: the surface's at the points, roughly. The axis of a surface of revolution meets
/// all normals: it is found from them (Pottmann and Randrup 1998, Computing 60, 307), line or circle of the
/// half plane from the points about it, and both are improved together by Gauss and Newton's method.
std::optional<RoundSurface> fit_round(const std::vector<Vec3>& points, const std::vector<Vec3>& normals,
                                      double within);

}  // namespace umov::mesh
