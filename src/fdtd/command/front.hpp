// The front `umov fdtd`: pictures, a TOML case and flags become a Simulation.
#pragma once

#include <span>
#include <string>

#include "command/parse_case.hpp"
#include "fdtd/case/case.hpp"
#include "fdtd/simulation.hpp"

namespace umov::fdtd {

struct Request : command::CaseRequest<Case, Simulation> {
  Origins origins = {};  ///< of what was given
};

/// Reads `[picture.png ... | case.toml] [flags]`, flags over file over defaults. Throws BadInput with
/// file:line or the flag.
Request parse(std::span<const std::string> args);

}  // namespace umov::fdtd
