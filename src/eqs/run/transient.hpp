// The state of steps in time, beside the engine's, and how it is saved and continued from.
#pragma once

#include <cstdint>

#include "eqs/frame_sink.hpp"
#include "eqs/run/checkpoint.hpp"
#include "eqs/run/prepare.hpp"

namespace umov::eqs {

struct TransientState {
  Outcome out;  ///< so far
  StepControl control;
  SteadySearch search{};
  double peak = -1;  ///< largest field at a saved time so far, V/m
};

/// Saves into the output folder. Throws MachineFailure.
void save_state(TransientState&, const Engine&, std::uint64_t fingerprint);
/// The same; a machine that fails to costs the checkpoint, not the run.
void try_save_state(TransientState&, const Engine&, std::uint64_t fingerprint, run::Journal&);

/// Goes on from the checkpoint in the output folder. Throws BadInput when there is none or it does not fit.
void resume_state(const Prepared&, std::uint64_t fingerprint, TransientState&, Engine&);

}  // namespace umov::eqs
