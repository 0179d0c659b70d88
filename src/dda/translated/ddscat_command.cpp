// `umov ddscat`: DDSCAT's ddscat.par, run by umov.
#include "dda/translated/ddscat_command.hpp"

#include <fmt/format.h>

#include <memory>

#include "core/text.hpp"
#include "dda/ddscat/results.hpp"
#include "dda/translated/translated.hpp"

namespace umov::dda {

namespace {

constexpr const char* ddscat_usage =
    "umov ddscat [ddscat.par] [options]: the parameter file of DDSCAT 7.3 and the files that it names\n\n"
    "    --to-toml FILE.toml   write the same case for umov dda and stop\n\n"
    "Other options are those of umov dda for solver, machine, output and checkpoints; what ddscat.par\n"
    "says they cannot change. docs/guide/ddscat.md\n\n";

Translation read_ddscat(const std::string& path, ManyExtras& extras) {
  const auto job = std::make_shared<ddscat::Job>(ddscat::make_job(path));
  const auto size_parameter = [job](std::size_t i) {
    const auto place = ddscat::place_of(*job, i);
    const auto& p = job->parameters;
    return 2 * pi * p.radii[place.radius] * p.medium / p.wavelengths[place.wavelength];
  };
  extras.kept = ddscat::reduced_size(*job);
  extras.kept_of = light_lines(job->light.jones.x, job->light.jones.y, job->translation) +
                   fmt::format("ETASCA: {}\n", shortest(job->parameters.eta));
  extras.ask = [=](std::size_t i, Simulation& sim) {
    sim.outputs.mueller = sim.outputs.store_scat_grid = true;
    sim.outputs.directions = ddscat::case_directions(*job, size_parameter(i));
    sim.outputs.store_dip_pol = !job->light.linear();
  };
  extras.keep = [=](std::size_t i, const Outcome& o) { return ddscat::reduce(*job, size_parameter(i), o); };
  extras.tabulate = [job](ManyOutcome& o) { o.columns = ddscat::columns(*job, o); };
  extras.write = [job](const ManyOutcome& o, const std::string& folder) {
    ddscat::write_results(*job, o, folder);
  };
  extras.say = [job](const ManyOutcome& o) { return ddscat::qtable(*job, o); };
  return job->translation;
}

}  // namespace

int ddscat_command(std::span<const std::string> args) {
  return translated_command({"ddscat", ddscat_usage, "ddscat.par", read_ddscat}, args);
}

}  // namespace umov::dda
