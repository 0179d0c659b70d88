#include "fdtd/command/command.hpp"

#include "command/command.hpp"
#include "fdtd/command/execute.hpp"
#include "fdtd/command/front.hpp"

namespace umov::fdtd {

namespace {

constexpr const char* usage =
    "umov fdtd [picture.png ... | case.toml] [options]: waves in time, finite differences on a Yee grid\n\n"
    "A picture is a model: red above 128 is a source, green the permittivity, blue the id of a monitor;\n"
    "several pictures (PNG, BMP, JPEG, TIFF, TGA) are a stack along z. A case describes what a picture "
    "cannot: materials, bodies, "
    "sources,\n"
    "monitors. Options override the file; the file overrides the defaults. The tables of a case are in\n"
    "docs/guide/fdtd.md, and printed by --help-markdown. With [s_parameters] a run for each port and mode "
    "gives\n"
    "a scattering matrix, see docs/guide/s_parameters.md. A case with the table [harmonic] is a layered cell "
    "at\n"
    "single wavelengths: see umov harmonic --help.\n";

}  // namespace

int command(std::span<const std::string> args, const SeveralRuns& several) {
  const auto wanted = [](const Request& r) { return r.simulation.s_parameters.wanted(); };
  return command::answer(
      "fdtd", args, usage, parameters(), parse(args),
      [&](const Request& r) { wanted(r) ? several.print_plan(r) : print_plan(r); },
      [&](const Request& r) { return wanted(r) ? several.execute(r) : execute(r); });
}

}  // namespace umov::fdtd
