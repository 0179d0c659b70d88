// The command `umov fdtd`.
#include "run/fdtd_command.hpp"

#include <fmt/format.h>

#include "run/devices_command.hpp"
#include "run/execute_fdtd.hpp"
#include "run/fdtd_front.hpp"

namespace umov::run {

namespace {

constexpr const char* usage =
    "umov fdtd [picture.png ... | case.toml] [options]: waves in time, finite differences on a Yee grid\n\n"
    "A picture is a model: red above 128 is a source, green the permittivity, blue the id of a monitor;\n"
    "several pictures are a stack along z. A case describes what a picture cannot: materials, bodies, "
    "sources,\n"
    "monitors. Options override the file; the file overrides the defaults. The tables of a case are in\n"
    "docs/guide/fdtd.md, and printed by --help-markdown.\n";

std::string typed(std::span<const std::string> args) {
  std::string line = "umov fdtd";
  for (const auto& word : args) line += " " + word;
  return line;
}

}  // namespace

int fdtd_command(std::span<const std::string> args) {
  FdtdRequest request = parse_fdtd(args);
  if (request.wishes.help) {
    fmt::print("{}{}", usage, fdtd_parameters().help());
    return 0;
  }
  if (request.wishes.help_markdown) {
    fmt::print("{}", fdtd_parameters().markdown());
    return 0;
  }
  if (request.wishes.list_devices) return devices_command({});
  request.simulation.command_line = typed(args);
  if (request.simulation.dry_run) {
    print_plan(request.simulation);
    return 0;
  }
  return static_cast<int>(execute(request.simulation));
}

}  // namespace umov::run
