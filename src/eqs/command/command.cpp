#include "eqs/command/command.hpp"

#include "eqs/command/execute.hpp"
#include "eqs/command/front.hpp"
#include "front/command.hpp"

namespace umov::eqs {

namespace {

constexpr const char* usage =
    "umov eqs [case.toml] [options]: electroquasistatic fields, finite elements on tetrahedra\n\n"
    "A case names a mesh or describes a geometry, gives its regions materials and its surfaces potentials.\n"
    "Options override the file; the file overrides the defaults. The tables of a case are in\n"
    "docs/guide/eqs.md, and printed by --help-markdown. Lengths are in metres, all else in SI units.\n";

}  // namespace

int command(std::span<const std::string> args) {
  return front::answer("eqs", args, usage, parameters(), parse(args), print_plan,
                       [](const Request& r) { return execute(r.simulation); });
}

}  // namespace umov::eqs
