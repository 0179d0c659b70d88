// The files of a run of a time-harmonic cell, one after the other.
#include "harmonic/output/results.hpp"
#include "results/formats.hpp"

namespace umov::harmonic {

void write_results(const Outcome& o, const std::string& folder) {
  results::write(to_result(o), folder, o.simulation.outputs);
  if (o.simulation.outputs.pictures) draw_pictures(o, folder);
}

}  // namespace umov::harmonic
