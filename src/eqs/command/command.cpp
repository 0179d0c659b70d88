#include "eqs/command/command.hpp"

#include "eqs/command/execute.hpp"
#include "eqs/command/execute_batch.hpp"
#include "eqs/command/execute_compare.hpp"
#include "eqs/command/front.hpp"
#include "front/command.hpp"
#include "front/ranks.hpp"

namespace umov::eqs {

namespace {

constexpr const char* usage =
    "umov eqs [case.toml] [options]: electroquasistatic fields, finite elements on tetrahedra\n\n"
    "A case names a mesh or describes a geometry, gives its regions materials and its surfaces potentials.\n"
    "Options override the file; the file overrides the defaults. The tables of a case are in\n"
    "docs/guide/eqs.md, and printed by --help-markdown. Lengths are in metres, all else in SI units.\n";

}  // namespace

int command(std::span<const std::string> args) {
  const Request request = parse(args);
  const bool batch = !request.batch.cases.empty();
  const auto plan = [&](const Simulation& sim) { batch ? print_plan(request.batch) : print_plan(sim); };
  return front::answer("eqs", args, usage, parameters(), request, plan, [&](const Request& r) {
    if (r.given.compare.wanted) front::require_one_rank(r.simulation.ranks, "a comparison of methods");
    if (r.given.compare.wanted) return execute(r.simulation, r.given.compare);
    if (!batch) return execute(r.simulation, r.given.view);
    Batch variants = r.batch;
    for (Simulation& sim : variants.cases) sim.command_line = r.simulation.command_line;
    return execute(variants, r.given.view);
  });
}

}  // namespace umov::eqs
