// A batch as a command performs it.
#pragma once

#include <string>

#include "cases/view_parameters.hpp"
#include "core/error.hpp"
#include "eqs/command/batch.hpp"

namespace umov::eqs {

/// Prints the resolved case, how many variants and meshes there are, and what the first one needs.
void print_plan(const Batch&);

/// Runs, shows progress, writes tables, surfaces and pictures into the output folder. Returns the exit code;
/// errors are thrown. With a view the batch can be looked at, and the program stays until the last viewer has
/// gone.
Exit execute(const Batch&, const cases::ViewSettings& = {});

}  // namespace umov::eqs
