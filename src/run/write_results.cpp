// All files that a run leaves in its folder.
#include "results/hdf5_writer.hpp"
#include "results/result.hpp"
#include "run/execute.hpp"

namespace umov::run {

void write_results(const dda::Outcome& outcome, const std::string& folder) {
  if (outcome.simulation.outputs.hdf5)
    results::write_hdf5(results::to_result(outcome), folder + "/results.vtkhdf");
}

}  // namespace umov::run
