// `umov fdtd` of a case that asks for S-parameters.
#pragma once

#include "core/error.hpp"
#include "fdtd/command/front.hpp"

namespace umov::s_parameters {

/// What --dry-run prints: the case, ports, runs, where they go. Throws as make_setup does.
void print_plan(const fdtd::Request&);

/// Computes the runs side by side, keeping each as it is done, and writes the matrix. Returns the exit code;
/// errors are thrown.
Exit execute(const fdtd::Request&);

}  // namespace umov::s_parameters
