// Quotients of fluxes.
#include "fdtd/observables/normalized_flux.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace umov::fdtd {

NormalizedFlux normalized(const FluxResult& f) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  NormalizedFlux n;
  const auto& one = f.incident.empty() ? f.reference : f.incident;
  for (std::size_t i = 0; i < std::min(f.flux.size(), one.size()); ++i) {
    const double unit = f.incident.empty() ? one[i] : std::abs(one[i]);
    n.transmission.push_back(unit != 0 ? f.flux[i] / unit : none);
    if (f.scattered.empty()) continue;
    const double along = f.incident.empty() || f.reference[i] >= 0 ? -1 : 1;
    n.reflection.push_back(unit != 0 ? along * f.scattered[i] / unit : none);
  }
  return n;
}

bool shows_reflection(const FluxResult& f) {
  double sum = 0;
  for (std::size_t i = 0; i < std::min(f.scattered.size(), f.reference.size()); ++i)
    sum += f.scattered[i] * f.reference[i];
  return sum < 0;
}

}  // namespace umov::fdtd
