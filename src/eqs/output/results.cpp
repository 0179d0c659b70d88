// The files of an electroquasistatic run, one after the other.
#include "eqs/output/results.hpp"

#include <algorithm>
#include <cmath>

#include "results/formats.hpp"

namespace umov::eqs {

std::size_t peak_index(const Outcome& o) {
  double largest = -1;
  std::size_t best = 0;
  for (std::size_t i = 0; i < o.saved_times.size(); ++i)
    for (const Record& r : o.history) {
      if (std::abs(r.time - o.saved_times[i]) > 1e-9 * std::max(o.end, 1e-300)) continue;
      double here = 0;
      for (const auto& peak : r.seen.peaks) here = std::max(here, peak.field);
      if (here > largest) largest = here, best = i;
    }
  return best;
}

void write_results(const Outcome& o, const std::string& folder, const std::vector<StageTime>& times) {
  const auto& wanted = o.simulation.outputs;
  results::write(results::with_timings(to_result(o), times), folder, wanted);
  if (wanted.pictures) draw_pictures(o, folder);
}

}  // namespace umov::eqs
