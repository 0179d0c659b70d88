// The front `umov eqs`: a TOML case and flags become a Simulation.
#include "run/eqs_front.hpp"

#include "run/command.hpp"
#include "run/execute_eqs.hpp"

namespace umov::run {

namespace {

constexpr const char* usage =
    "umov eqs [case.toml] [options]: electroquasistatic fields, finite elements on tetrahedra\n\n"
    "A case names a mesh or describes a geometry, gives its regions materials and its surfaces potentials.\n"
    "Options override the file; the file overrides the defaults. The tables of a case are in\n"
    "docs/guide/eqs.md, and printed by --help-markdown. Lengths are in metres, all else in SI units.\n";

}  // namespace

EqsRequest parse_eqs(std::span<const std::string> args) {
  const auto& table = eqs_parameters();
  // The flags are read twice: first to learn which file lies under them, then over that file.
  EqsCase flags;
  Origins flag_origins;
  const auto words = table.read_flags(args, flags, flag_origins);
  EqsRequest request;
  if (flags.help || flags.help_markdown || flags.list_devices) {
    request.wishes = flags;
    return request;
  }
  std::string file = only_case("eqs", words);
  if (file.empty() && flags.simulation.checkpoint.resume) file = saved_case(flags.resume_from);
  Origins origins;
  if (!file.empty()) table.read_toml(file, request.wishes, origins);
  const EqsCase from_file = request.wishes;
  // A spelling on the command line replaces the other spelling of the same quantity in the file.
  auto& time = request.wishes.simulation.time;
  if (flags.simulation.time.end > 0) time.periods = 0, origins.erase("time.periods");
  if (flags.simulation.time.periods > 0) time.end = 0, origins.erase("time.end");
  if (flags.simulation.time.step > 0) time.first_step = time.max_step = 0;
  if (!flags.simulation.mesh.file.empty()) {
    request.wishes.geometry_kind.reset();
    request.wishes.geometry.parts.clear();
    request.wishes.geometry.layers.clear();
  }
  table.read_flags(args, request.wishes, origins);
  request.simulation = finish_case(request.wishes, origins);
  table.refuse_idle(&request.wishes, origins, &from_file);
  return request;
}

std::string resolved_toml(const eqs::Simulation& simulation) {
  return "# The case as it was run: every default filled in. `umov eqs resolved.toml` repeats it.\n" +
         eqs_parameters().write_toml(case_of(simulation));
}

int eqs_command(std::span<const std::string> args) {
  return answer("eqs", args, usage, eqs_parameters(), parse_eqs(args), print_plan,
                [](const EqsRequest& r) { return execute(r.simulation); });
}

}  // namespace umov::run
