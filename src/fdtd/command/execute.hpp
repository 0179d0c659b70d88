// A run in time as a command performs it: folder, progress, interruption, results.
#pragma once

#include <string>

#include "core/error.hpp"
#include "fdtd/command/front.hpp"
#include "fdtd/outcome.hpp"

namespace umov::fdtd {

/// Prints what `--dry-run` promises: the resolved case as TOML with grid, steps, memory and findings as
/// comments, so that the output is a case again. Writes no file. Throws as plan does.
void print_plan(const Request&);
/// The report of the case's layout, as remarks: what a dry run says of it before the case is refused.
void print_layout(Simulation);

/// Runs, shows progress, writes every result into the output folder. Returns the exit code; errors are
/// thrown. With a view the run can be looked at; it may be started anew with another picture as its model,
/// and the program stays until the last viewer has gone.
Exit execute(const Request&);

/// End of the name of a numbered folder: the first picture's name or "fdtd", and the grid when it is known.
std::string folder_stem(const Simulation&);

/// The record of a run as text: how it was called, grid, findings, timing, results in short, the case.
std::string log_text(const Outcome&);

/// The results in a few lines, for the end of a run and its log.
std::string summary_text(const Outcome&);

}  // namespace umov::fdtd
