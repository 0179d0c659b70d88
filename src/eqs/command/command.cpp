// The command `umov eqs`.
#include "eqs/command/command.hpp"

#include "eqs/command/execute.hpp"
#include "eqs/command/front.hpp"
#include "front/command.hpp"

namespace umov::run {

namespace {

constexpr const char* usage =
    "umov eqs [case.toml] [options]: electroquasistatic fields, finite elements on tetrahedra\n\n"
    "A case names a mesh or describes a geometry, gives its regions materials and its surfaces potentials.\n"
    "Options override the file; the file overrides the defaults. The tables of a case are in\n"
    "docs/guide/eqs.md, and printed by --help-markdown. Lengths are in metres, all else in SI units.\n";

}  // namespace

int eqs_command(std::span<const std::string> args) {
  return answer("eqs", args, usage, eqs_parameters(), parse_eqs(args), print_plan,
                [](const EqsRequest& r) { return execute(r.simulation); });
}

}  // namespace umov::run
