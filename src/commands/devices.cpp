#include "commands/devices.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "front/command.hpp"

namespace umov::commands {

int devices_command(std::span<const std::string> args) {
  for (const auto& word : args) {
    if (word != "--help" && word != "-h")
      throw BadInput(fmt::format("umov devices takes no '{}'; it prints what can compute here", word));
    fmt::print("umov devices: lists the backends, their devices, and why one is not available\n");
    return 0;
  }
  front::print_devices();
  return 0;
}

}  // namespace umov::commands
