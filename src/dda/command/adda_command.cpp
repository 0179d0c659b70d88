#include "dda/command/adda_command.hpp"

#include <fmt/format.h>

#include "comm/world.hpp"
#include "command/command.hpp"
#include "core/atomic_file.hpp"
#include "dda/adda/front.hpp"
#include "dda/adda/spelling.hpp"
#include "dda/case/translation.hpp"
#include "dda/command/execute.hpp"

namespace umov::dda {

namespace {

void write_toml(const adda::AddaCommand& command) {
  Translation t;
  t.program = "ADDA";
  t.source = command.machine.command_line;
  t.given = case_of(command.simulation);
  t.given.machine = command.machine;
  t.given.simulation.outputs.csv = true;  // off where ADDA's own files have the numbers
  write_file(command.toml, to_toml(t, ""));
  fmt::print("{}\nrun it with umov dda {}\n", command.toml, command.toml);
}

}  // namespace

int adda_command(std::span<const std::string> args) {
  speak(adda::spelling());
  adda::AddaCommand command = adda::parse_adda_command(args);
  if (!command.answer.empty()) {
    fmt::print("{}\n", command.answer);
    return 0;
  }
  const cases::ViewSettings& view = command.view;
  if (!view.on && (view.port != 0 || view.address != cases::ViewSettings{}.address))
    throw BadInput(
        "--view-address and --view-port have no effect (the run is not viewed); leave them out, or give "
        "--view");
  if (!command.toml.empty()) {
    if (comm::talks()) write_toml(command);
    return 0;
  }
  if (command.machine.dry_run) {
    print_memory(command.simulation, command.machine);
    if (comm::talks()) write_plan(command.simulation, command.machine, {"test", true});
    command::refuse_missing_backend(command.machine.backend);
    return 0;
  }
  return static_cast<int>(execute(command.simulation, command.machine,
                                  {command.test_folder ? "test" : "run", true}, command.view));
}

}  // namespace umov::dda
