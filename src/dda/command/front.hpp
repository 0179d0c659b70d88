// The front `umov dda`: a TOML case and flags become a Simulation.
#pragma once

#include <span>
#include <string>

#include "dda/case/case.hpp"
#include "dda/simulation.hpp"
#include "front/parse_case.hpp"

namespace umov::dda {

using Request = front::CaseRequest<Case, Simulation>;

/// Reads `[case.toml] [flags]`, flags over file over defaults. Throws BadInput with file:line or the flag.
Request parse(std::span<const std::string> args);

}  // namespace umov::dda
