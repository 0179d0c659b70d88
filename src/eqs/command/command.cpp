#include "eqs/command/command.hpp"

#include <fmt/format.h>

#include "command/command.hpp"
#include "core/error.hpp"
#include "eqs/command/execute.hpp"
#include "eqs/command/execute_batch.hpp"
#include "eqs/command/execute_compare.hpp"
#include "eqs/command/front.hpp"
#include "run/ranks.hpp"

namespace umov::eqs {

namespace {

constexpr const char* usage =
    "umov eqs [case.toml] [options]: electroquasistatic fields, finite elements on tetrahedra\n\n"
    "A case names a mesh or describes a geometry, gives its regions materials and its surfaces potentials.\n"
    "Options override the file; the file overrides the defaults. The tables of a case are in\n"
    "docs/guide/eqs.md, and printed by --help-markdown. Lengths are in metres, all else in SI units.\n";

/// Linear systems are those of one run on one rank.
void check_systems(const Request& r) {
  const bool batch = !r.batch.cases.empty();
  const Simulation& sim = batch ? r.batch.cases.front() : r.simulation;
  if (!sim.outputs.systems.wanted()) return;
  if (batch || r.given.compare.wanted)
    throw BadInput(
        fmt::format("output.write_systems with {} (its runs would write to one folder); run a single case",
                    batch ? "a case of several variants" : "--compare"));
  run::require_one_rank(sim.ranks, "a run that writes its linear systems");
}

}  // namespace

int command(std::span<const std::string> args) {
  const Request request = parse(args);
  check_systems(request);
  const bool batch = !request.batch.cases.empty();
  const auto plan = [&](const Simulation& sim) { batch ? print_plan(request.batch) : print_plan(sim); };
  return command::answer("eqs", args, usage, parameters(), request, plan, [&](const Request& r) {
    if (r.given.compare.wanted) run::require_one_rank(r.simulation.ranks, "a comparison of methods");
    if (r.given.compare.wanted) return execute(r.simulation, r.given.compare);
    if (!batch) return execute(r.simulation, r.given.view);
    Batch variants = r.batch;
    for (Simulation& sim : variants.cases) sim.command_line = r.simulation.command_line;
    return execute(variants, r.given.view);
  });
}

}  // namespace umov::eqs
