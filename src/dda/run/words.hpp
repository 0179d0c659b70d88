// Sentences about solves of a dipole run that did not converge.
#pragma once

#include <string>

#include "dda/outcome.hpp"

namespace umov::dda {

/// Why a solve did not converge and which parameters may help; "" when it did. ADDA counts digits of epsilon.
std::string advice(const krylov::Diagnosis&, Front);

}  // namespace umov::dda
