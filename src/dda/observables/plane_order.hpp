// Rows of a scattering plane in the order in which they are drawn.
#pragma once

#include <utility>
#include <vector>

#include "dda/outcome.hpp"

namespace umov::dda {

/// Rows with their angle in the plane from the direction of incidence (degrees), which rises: the scattering
/// angle, or, where both sides of the incidence are there, up to 360 with the side of azimuths from 180
/// beyond 180.
std::vector<std::pair<double, const ScatteringRow*>> by_angle_from_incidence(
    const std::vector<ScatteringRow>& plane);

}  // namespace umov::dda
