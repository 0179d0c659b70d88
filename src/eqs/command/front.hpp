// The front `umov eqs`: a TOML case and flags become a Simulation, or the variants of one.
#pragma once

#include <span>
#include <string>

#include "command/parse_case.hpp"
#include "eqs/command/batch.hpp"
#include "eqs/simulation.hpp"

namespace umov::eqs {

struct Request : command::CaseRequest<Case, Simulation> {
  Batch batch;  ///< its variants, where the case has lists or [[vary]]; `simulation` is the first of them
};

/// Reads `[case.toml] [flags]`, flags over file over defaults. Throws BadInput with file:line or the flag.
Request parse(std::span<const std::string> args);

}  // namespace umov::eqs
