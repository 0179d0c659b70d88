// The files of a run of a time-harmonic cell, one after the other.
#include "harmonic/output/results.hpp"
#include "results/formats.hpp"

namespace umov::harmonic {

void write_results(const Outcome& o, const std::string& folder, const std::vector<StageTime>& times) {
  results::write(results::with_timings(to_result(o), times), folder, o.simulation.outputs);
  if (o.simulation.outputs.pictures) draw_pictures(o, folder);
}

}  // namespace umov::harmonic
