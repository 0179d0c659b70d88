// `umov opendda`: OpenDDA's control file, run by umov.
#include "dda/translated/opendda_command.hpp"

#include <memory>

#include "dda/opendda/results.hpp"
#include "dda/translated/translated.hpp"

namespace umov::dda {

namespace {

constexpr const char* opendda_usage =
    "umov opendda [control.input] [options]: OpenDDA's control file and the INPUT_*.input files beside it\n\n"
    "    --to-toml FILE.toml   write the same case for umov dda and stop\n\n"
    "Other options are those of umov dda for solver, machine, output and checkpoints; what the control\n"
    "file says they cannot change. docs/guide/opendda.md\n\n";

Translation read_opendda(const std::string& path, ManyExtras& extras) {
  const auto job = std::make_shared<opendda::Job>(opendda::make_job(path));
  extras.kept = opendda::reduced_size(*job);
  extras.kept_of = light_lines(job->light.jones.x, job->light.jones.y, job->translation);
  extras.ask = [job](std::size_t, Simulation& sim) {
    sim.outputs.mueller = sim.outputs.store_scat_grid = true;
    sim.outputs.directions = opendda::case_directions(*job);
    sim.outputs.store_dip_pol = !job->light.linear();
  };
  extras.keep = [job](std::size_t, const Outcome& o) { return opendda::reduce(*job, o); };
  extras.tabulate = [job](ManyOutcome& o) { o.columns = opendda::columns(*job, o); };
  extras.write = [job](const ManyOutcome& o, const std::string& folder) {
    opendda::write_results(*job, o, folder);
  };
  extras.say = [job](const ManyOutcome& o) { return opendda::printed(*job, o); };
  return job->translation;
}

}  // namespace

int opendda_command(std::span<const std::string> args) {
  return translated_command({"opendda", opendda_usage, "control.input", read_opendda}, args);
}

}  // namespace umov::dda
