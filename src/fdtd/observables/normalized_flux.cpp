// Quotients of fluxes.
#include "fdtd/observables/normalized_flux.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fdtd/monitors/flux.hpp"

namespace umov::fdtd {

namespace {

/// Below this share of the largest incident flux a quotient is left out once the error of its record is above
/// `vague`.
constexpr double faint = 1e-3, vague = 0.1;

}  // namespace

std::vector<bool> without_incident(const FluxResult& f) {
  const auto& one = f.incident.empty() ? f.reference : f.incident;
  double most = f.offered;
  for (const double v : one) most = std::max(most, std::abs(v));
  std::vector<bool> none(one.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double here = std::abs(one[i]);
    const auto& errors = f.errors.record;
    const bool unsure = i < errors.size() && !(errors[i] <= vague * here);
    none[i] = here <= no_incident * most || (here < faint * most && unsure);
  }
  return none;
}

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
  const auto dark = without_incident(f);
  for (std::size_t i = 0; i < std::min(f.flux.size(), one.size()); ++i) {
    const double unit = dark[i] ? none : f.incident.empty() ? one[i] : std::abs(one[i]);
    n.transmission.push_back(f.flux[i] / unit);
    if (!f.scattered.empty()) n.reflection.push_back(along * f.scattered[i] / unit);
  }
  return n;
}

bool shows_reflection(const FluxResult& f) {
  const auto& unit = f.incident.empty() ? f.reference : f.incident;
  const auto reflection = normalized(f).reflection;
  double sum = 0;
  for (std::size_t i = 0; i < reflection.size(); ++i)
    if (std::isfinite(reflection[i])) sum += reflection[i] * unit[i] * unit[i];
  return sum >= 0;
}

}  // namespace umov::fdtd
