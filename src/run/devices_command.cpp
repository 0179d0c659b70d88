// `umov devices`: what can compute here, and why something cannot.
#include "run/devices_command.hpp"

#include <fmt/format.h>

#include "backend/registry.hpp"
#include "core/error.hpp"

namespace umov::run {

int devices_command(std::span<const std::string> args) {
  for (const auto& word : args) {
    if (word != "--help" && word != "-h")
      throw BadInput(fmt::format("umov devices takes no '{}'; it prints what can compute here", word));
    fmt::print("umov devices: lists the backends, their devices, and why one is not available\n");
    return 0;
  }
  for (const auto& backend : backend::list_backends()) {
    fmt::print("{:<7} {}\n", backend.name,
               backend.available ? std::string("available") : "not available: " + backend.why_not);
    for (std::size_t i = 0; i < backend.devices.size(); ++i)
      fmt::print("{:<7} {}: {}\n", "", i, backend.devices[i]);
  }
  return 0;
}

}  // namespace umov::run
