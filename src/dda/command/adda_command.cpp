#include "dda/command/adda_command.hpp"

#include <fmt/format.h>

#include "dda/adda/front.hpp"
#include "dda/command/execute.hpp"

namespace umov::dda {

int adda_command(std::span<const std::string> args) {
  adda::AddaCommand command = adda::parse_adda_command(args);
  if (!command.answer.empty()) {
    fmt::print("{}\n", command.answer);
    return 0;
  }
  if (command.simulation.dry_run) {
    print_memory(command.simulation);
    write_plan(command.simulation, {"test", true});
    return 0;
  }
  return static_cast<int>(execute(command.simulation, {command.test_folder ? "test" : "run", true}));
}

}  // namespace umov::dda
