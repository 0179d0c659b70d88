// A case with lists as a command performs it: every single case, one table, what was finished before.
#pragma once

#include "core/error.hpp"
#include "dda/command/front.hpp"

namespace umov::dda {

/// Prints what `--dry-run` promises of many cases: the case as TOML and, as comments, how many there are and
/// the memory of the largest. Throws what the run would.
void print_plan_many(const Request&);

/// Runs, shows progress, writes the table of all cases. An interrupted run keeps the finished rows.
Exit execute_many(const Request&);

}  // namespace umov::dda
