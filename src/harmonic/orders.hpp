// Diffraction orders: where a periodic cell sends the light, order by order.
#pragma once

#include <vector>

#include "harmonic/incident.hpp"

namespace umov::harmonic {

/// An order that propagates, with its power over the incident one. s: E across the plane of the order's own
/// wave vector and z, p: in it; along the normal, where there is none, across and in the plane of incidence.
struct DiffractionOrder {
  bool transmitted = false;
  int m = 0, n = 0;               ///< periods of the cell along x and y in the order's lateral wave
  double angle = 0, azimuth = 0;  ///< degrees, from the normal and from x towards y, in its half space
  double s = 0, p = 0;
  double efficiency() const { return s + p; }
};

/// Orders above and, where the substrate is transparent, below; K + 2 pi (m / period x, n / period y) gives
/// their directions. The power of an order is that of its lateral wave on the grid, so that all orders
/// together are the flux through the plane, but for orders that graze so much that they propagate on the grid
/// or in the medium alone. `above`, `below`: true permittivities; `azimuth`: of incidence, rad.
std::vector<DiffractionOrder> diffraction_orders(const Problem&, const Fields&, const IncidentWave&,
                                                 cplx above, cplx below, double azimuth);

}  // namespace umov::harmonic
