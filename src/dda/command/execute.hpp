// A dipole run as a command performs it: folder, progress, interruption, results.
#pragma once

#include <string>
#include <vector>

#include "cases/view_parameters.hpp"
#include "command/line_watch.hpp"
#include "command/output_folder.hpp"
#include "core/error.hpp"
#include "core/progress.hpp"
#include "dda/outcome.hpp"
#include "dda/run/observer.hpp"

namespace umov::dda {

/// End of the name of a numbered folder: SHAPE_gNX_mRE, as ADDA does. Throws what make_particle throws.
std::string folder_stem(const Simulation&);

/// Prints what `--dry-run` promises: the resolved case as TOML with the memory estimate as comments, so
/// that the output is a case again. Writes no file. Throws as plan does.
void print_plan(const Simulation&, const Machine&);

/// Prints particle, grid and memory estimate, before a run.
void print_memory(const Simulation&, const Machine&);

/// What ADDA's -prognosis leaves behind: a folder with log, meminfo and, when asked for, the geometry.
void write_plan(const Simulation&, const Machine&, const command::FolderNaming&);

/// Particle, grid and memory of a plan as lines that begin with `margin`.
std::string plan_text(const Outcome& plan, const std::string& margin);

/// Warns of a split where there is one rank. Returns what it said, for the log; "" = nothing.
std::string warn_of_idle_split(const Machine&);

/// Files that a run reads after it has begun; they may be results of the run before.
std::vector<std::string> files_read(const Simulation&);

/// One progress line per incident polarization; false stops the run. `before` begins it.
RunObserver watch_with(command::LineWatch<Progress>&, const Simulation&, bool quiet,
                       const std::string& before = "");

/// Every run can be interrupted and continued, whether or not it was to save from time to time.
Machine with_checkpoints(Machine, const std::string& folder);

/// Runs, shows progress, writes every result into the output folder. Returns the exit code; errors are
/// thrown. With a view the run can be looked at, and the program stays until the last viewer has gone.
Exit execute(const Simulation&, const Machine&, const command::FolderNaming& = {},
             const cases::ViewSettings& = {});

}  // namespace umov::dda
