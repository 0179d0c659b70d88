// Quotients of fluxes.
#include "fdtd/observables/normalized_flux.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace umov::fdtd {

NormalizedFlux normalized(const FluxResult& f) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  NormalizedFlux n;
  if (f.balanced) return n;
  const auto& one = f.incident.empty() ? f.reference : f.incident;
  // Of a place that the reference run does not light the monitor's own normal decides.
  double own = 0, incident = 0;
  for (const double v : f.reference) own += v;
  for (const double v : f.incident) incident += std::abs(v);
  const double along = !f.incident.empty() && own < -0.01 * incident ? 1 : -1;
  for (std::size_t i = 0; i < std::min(f.flux.size(), one.size()); ++i) {
    const double unit = f.incident.empty() ? one[i] : std::abs(one[i]);
    n.transmission.push_back(unit != 0 ? f.flux[i] / unit : none);
    if (f.scattered.empty()) continue;
    n.reflection.push_back(unit != 0 ? along * f.scattered[i] / unit : none);
  }
  return n;
}

bool shows_reflection(const FluxResult& f) {
  const auto& unit = f.incident.empty() ? f.reference : f.incident;
  const auto reflection = normalized(f).reflection;
  double sum = 0;
  for (std::size_t i = 0; i < reflection.size(); ++i)
    if (unit[i] != 0) sum += reflection[i] * unit[i] * unit[i];
  return sum >= 0;
}

}  // namespace umov::fdtd
