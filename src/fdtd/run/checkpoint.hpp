// The state of a run in time in one file, so that a killed run continues to the same bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fdtd/observables/monitors.hpp"
#include "fdtd/run/divergence.hpp"
#include "fdtd/run/film.hpp"
#include "fdtd/run/stop.hpp"

namespace umov::fdtd {

struct RunState {
  std::uint64_t fingerprint = 0;  ///< of the case
  int phase = 0;                  ///< 0: the reference run of a normalised pair; 1: the run itself
  double seconds = 0;             ///< spent on time steps in this phase
  StopRule::State stop;
  DivergenceWatch::State divergence;
  Film::Reel reel;
  ReferenceFields reference;  ///< in phase 1 of a normalised pair
  std::vector<std::byte> engine, monitors;
};

/// A number that tells cases apart by what decides their fields and samples: not by the end of the run, the
/// outputs, or the machine. The contents of files count, too.
std::uint64_t case_fingerprint(const Simulation&);

/// Writes the whole file or nothing. Throws as AtomicFile does.
void save_checkpoint(const RunState&, const std::string& path);
/// Throws BadInput: no such file, damaged, or of another case.
RunState load_checkpoint(const std::string& path, std::uint64_t fingerprint);

}  // namespace umov::fdtd
