// A batch as a command performs it.
#pragma once

#include <string>

#include "core/error.hpp"
#include "eqs/batch.hpp"

namespace umov::eqs {

/// Prints the resolved case, how many variants and meshes there are, and what the first one needs.
void print_plan(const Batch&);

/// Runs, shows progress, writes tables, surfaces and pictures into the output folder. Returns the exit code;
/// errors are thrown.
Exit execute(const Batch&);

}  // namespace umov::eqs
