// Sentences about a dipole run in the words of the command that was typed.
#pragma once

#include <string>

#include "dda/outcome.hpp"

namespace umov::dda {

/// Why a solve did not converge and which flags may help; "" when it did.
std::string advice(const krylov::Diagnosis&, Front);

/// How to continue a run whose state is in `folder`.
std::string how_to_resume(const std::string& folder, Front);

}  // namespace umov::dda
