// The warnings of a dry run.
#pragma once

#include <string>
#include <vector>

namespace umov::command {

/// Prints them as remarks of the case, and, where nobody sees those (standard output is no terminal), on
/// standard error as a run does; --quiet silences neither.
void print_plan_warnings(const std::vector<std::string>&);

}  // namespace umov::command
