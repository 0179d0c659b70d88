#include "commands/devices.hpp"

#include <fmt/format.h>

#include "command/command.hpp"
#include "core/error.hpp"

namespace umov::commands {

int devices_command(std::span<const std::string> args) {
  for (const auto& word : args) {
    if (word != "--help" && word != "-h")
      throw BadInput(fmt::format("umov devices takes no '{}'; it prints what can compute here", word));
    fmt::print("umov devices: lists the backends, their devices, and why one is not available\n");
    return 0;
  }
  command::print_devices();
  return 0;
}

}  // namespace umov::commands
