// An electroquasistatic run as a command performs it: folder, progress, interruption, results.
#pragma once

#include <string>

#include "cases/view_parameters.hpp"
#include "core/error.hpp"
#include "eqs/outcome.hpp"

namespace umov::eqs {

/// Prints what `--dry-run` promises: the resolved case as TOML with mesh, unknowns and memory as comments, so
/// that the output is a case again. Writes no file. Throws as plan does.
void print_plan(const Simulation&, const run::Machine&);

/// Runs, shows progress, writes every result into the output folder. Returns the exit code; errors are
/// thrown. With a view the run can be looked at, and the program stays until the last viewer has gone.
Exit execute(const Simulation&, const run::Machine&, const cases::ViewSettings& = {});

/// End of the name of a numbered folder: that of the mesh file or the geometry.
std::string folder_stem(const Simulation&);

/// Mesh, materials and electrodes in numbers.
std::string model_text(const Outcome&);

/// The record of a run as text: how it was called, mesh, solver, memory, results in short.
std::string log_text(const Outcome&);

/// The results in a few lines, for the end of a run and its log.
std::string summary_text(const Outcome&);

}  // namespace umov::eqs
