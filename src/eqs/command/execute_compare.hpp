// A comparison of methods as a command performs it.
#pragma once

#include "core/error.hpp"
#include "eqs/comparison.hpp"

namespace umov::eqs {

/// Runs all methods, shows progress, writes tables and pictures into the output folder. Returns the exit
/// code; errors are thrown.
Exit execute(const Simulation&, const run::Machine&, const ComparisonSpec&);

/// The methods and the errors as text.
std::string comparison_text(const Comparison&);

}  // namespace umov::eqs
