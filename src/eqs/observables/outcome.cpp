// Quantities derived from the records of a run.
#include "eqs/outcome.hpp"

#include <algorithm>
#include <cmath>

#include "eqs/observables/peaks.hpp"

namespace umov::eqs {

std::vector<double> energy_per_period(const Outcome& o) {
  std::vector<double> out;
  if (o.period <= 0) return out;
  double last = 0;
  for (int k = 1; double(k) * o.period <= o.end * (1 + 1e-9); ++k) {
    const auto at = std::find_if(o.history.begin(), o.history.end(), [&](const Record& r) {
      return std::abs(r.time - k * o.period) < 1e-9 * o.period;
    });
    if (at == o.history.end()) break;
    out.push_back(at->seen.dissipated - last);
    last = at->seen.dissipated;
  }
  return out;
}

std::vector<Extreme> extremes(const Outcome& o) {
  std::vector<Extreme> out(o.material_names.size());
  const Peaks peaks(o);
  for (std::size_t m = 0; m < out.size(); ++m) {
    std::vector<double> field;
    for (const Record& r : o.history) field.push_back(m < r.seen.peaks.size() ? r.seen.peaks[m].field : 0);
    const PeakInTime most = peaks.find(field);
    if (most.value > 0) out[m] = {most.value, most.time, o.history[most.record].seen.peaks[m].at};
  }
  return out;
}

}  // namespace umov::eqs
