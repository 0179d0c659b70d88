// The front `umov dda`: a TOML case and flags become a Simulation.
#pragma once

#include <span>
#include <string>

#include "command/parse_case.hpp"
#include "dda/case/case.hpp"
#include "dda/simulation.hpp"

namespace umov::dda {

/// What `umov dda` was asked for; the simulation is the first of the cases.
struct Request : command::CaseRequest<Case, Simulation> {
  std::vector<Simulation> cases;  ///< of a case with lists all that it stands for; else it alone
};

/// Reads `[case.toml] [flags]`, flags over file over defaults. Throws BadInput with file:line or the flag.
Request parse(std::span<const std::string> args);

}  // namespace umov::dda
