#include "eqs/command/command.hpp"

#include <fmt/format.h>

#include "comm/world.hpp"
#include "command/command.hpp"
#include "core/console.hpp"
#include "core/error.hpp"
#include "eqs/command/execute.hpp"
#include "eqs/command/execute_batch.hpp"
#include "eqs/command/execute_compare.hpp"
#include "eqs/command/front.hpp"
#include "mesh/gmsh_file.hpp"
#include "mesh/size_estimate.hpp"
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
  if (!r.simulation.outputs.systems.wanted()) return;
  if (batch || r.given.compare.wanted)
    throw BadInput(
        fmt::format("output.write_systems with {} (its runs would write to one folder); run a single case",
                    batch ? "a case of several variants" : "--compare"));
  run::require_one_rank(r.given.machine.ranks, "a run that writes its linear systems");
}

void check_saved_mesh(const Request& r) {
  if (r.given.save_mesh.empty()) return;
  const auto refuse = [](const char* with, const char* remedy) {
    throw BadInput(fmt::format("--save-mesh with {}; {}", with, remedy));
  };
  if (r.given.machine.dry_run) refuse("--dry-run (either stops without a run)", "give one of them");
  if (!r.batch.cases.empty())
    refuse("a case of several variants (their meshes may differ)", "give single numbers");
  if (!r.simulation.mesh.geometry) refuse("a mesh from a file (it is saved already)", "copy that file");
}

Exit save_mesh(const Simulation& sim, bool quiet, const std::string& file) {
  const mesh::Geometry& geometry = *sim.mesh.geometry;
  if (!quiet) complain("eqs: " + (geometry.kind == "parts" ? mesh::announce_elements(geometry) : "mesh"));
  const mesh::TetMesh made = mesh::build_mesh(geometry);
  mesh::write_gmsh(made, file);
  if (!quiet)
    fmt::print("mesh: {} nodes, {} tetrahedra, in {} (metres)\n", made.nodes.size(), made.tets.size(), file);
  return Exit::done;
}

}  // namespace

int command(std::span<const std::string> args) {
  const Request request = parse(args);
  check_systems(request);
  check_saved_mesh(request);
  const bool batch = !request.batch.cases.empty();
  const auto plan = [&](const Request& r) {
    batch ? print_plan(r.batch) : print_plan(r.simulation, r.given.machine);
  };
  return command::answer("eqs", args, usage, parameters(), request, plan, [&](const Request& r) {
    const run::Machine& machine = r.given.machine;
    if (!r.given.save_mesh.empty())
      return comm::talks() ? save_mesh(r.simulation, machine.quiet, r.given.save_mesh) : Exit::done;
    if (r.given.compare.wanted) run::require_one_rank(machine.ranks, "a comparison of methods");
    if (r.given.compare.wanted) return execute(r.simulation, machine, r.given.compare);
    if (!batch) return execute(r.simulation, machine, r.given.view);
    Batch variants = r.batch;
    variants.machine = machine;
    return execute(variants, r.given.view);
  });
}

}  // namespace umov::eqs
