#include "dda/command/command.hpp"

#include "command/command.hpp"
#include "dda/case/many.hpp"
#include "dda/command/execute.hpp"
#include "dda/command/execute_many.hpp"
#include "dda/command/front.hpp"

namespace umov::dda {

namespace {

constexpr const char* usage =
    "umov dda [case.toml] [options]: light scattering by a particle, discrete dipole approximation\n\n"
    "Options override the file; the file overrides the defaults. The section in brackets and the key\n"
    "beside a flag in docs/guide/dda.md are its place in a TOML case.\n";

}  // namespace

int command(std::span<const std::string> args) {
  const Request request = parse(args);
  const bool many = !request.given.lists.empty();
  const auto print = [&](const Request& r) {
    many ? print_plan_many(r) : print_plan(r.simulation, r.given.machine);
  };
  return command::answer("dda", args, usage, parameters(), request, print, [&](const Request& r) {
    if (many) return execute_many(r);
    if (r.given.show_memory) print_memory(r.simulation, r.given.machine);
    return execute(r.simulation, r.given.machine, {}, r.given.view);
  });
}

}  // namespace umov::dda
