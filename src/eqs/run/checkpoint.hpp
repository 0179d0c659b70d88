// The state of an electroquasistatic run in one file, so that a killed run continues to the same bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eqs/observables/cut_field.hpp"
#include "eqs/outcome.hpp"
#include "eqs/run/steady_state.hpp"
#include "eqs/time/step_control.hpp"

namespace umov::eqs {

struct RunState {
  Outcome found;  ///< history, saved times, lines, surfaces, cuts, counts
  StepControl::Memory control;
  SteadySearch search{};
  double peak = 0;  ///< largest field at a saved time so far, V/m
  std::vector<std::byte> engine;
};

/// Whether the lists that were read are as long as `frame`, the outcome before its first step, and `cuts`
/// make them; `saved_times`: the most there can be.
bool fits(const RunState&, const Outcome& frame, const std::vector<CutField>& cuts, std::size_t saved_times);

/// A number that tells cases apart by what changes results or what is kept of them on the way. The contents
/// of files count, too.
std::uint64_t case_fingerprint(const Simulation&);

/// Writes the whole file or nothing. Throws as AtomicFile does.
void save_checkpoint(const RunState&, std::uint64_t fingerprint, const std::string& path);
/// Throws BadInput: no such file, damaged, or of another case.
RunState load_checkpoint(const std::string& path, std::uint64_t fingerprint,
                         const std::string& what_differs =
                             "mesh, materials, electrodes, time, lines, "
                             "surfaces, cuts or a file");

/// For a run that resumes, before anything is done for it: throws what load_checkpoint would of the file in
/// its folder. Other runs and analyses without a checkpoint pass.
void require_checkpoint(const Simulation&, const run::Machine&);

/// For a checkpoint that does not fit: what the case saved in `folder` has otherwise than this one, or not at
/// all, as after another version of the program wrote it; without any, that a file has changed.
std::string what_differs(const std::string& folder, const Simulation&);

}  // namespace umov::eqs
