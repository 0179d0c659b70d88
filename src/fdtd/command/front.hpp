// The front `umov fdtd`: pictures, a TOML case and flags become a Simulation.
#pragma once

#include <span>
#include <string>

#include "fdtd/case/case.hpp"
#include "fdtd/simulation.hpp"

namespace umov::run {

/// What `umov fdtd` was asked for.
struct FdtdRequest {
  FdtdCase wishes;              ///< as written; its flags help, list_devices... concern this call only
  fdtd::Simulation simulation;  ///< checked and complete; not filled when only help or devices are asked for
};

/// Reads `[picture.png ... | case.toml] [flags]`, flags over file over defaults. Throws BadInput with
/// file:line or the flag.
FdtdRequest parse_fdtd(std::span<const std::string> args);

}  // namespace umov::run
