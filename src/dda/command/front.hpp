// The front `umov dda`: a TOML case and flags become a Simulation.
#pragma once

#include <span>
#include <string>

#include "dda/case/case.hpp"
#include "dda/simulation.hpp"

namespace umov::dda {

/// What `umov dda` was asked for.
struct Request {
  Case wishes;                    ///< as written; its flags help, list_devices... concern this call only
  std::vector<Simulation> cases;  ///< of a case with lists all of its cases; else it alone
  Simulation simulation;  ///< the first of them, checked and complete; not filled when only help or devices
                          ///< are asked for
};

/// Reads `[case.toml] [flags]`, flags over file over defaults. Throws BadInput with file:line or the flag.
Request parse(std::span<const std::string> args);

}  // namespace umov::dda
