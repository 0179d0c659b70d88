// The state of a run in time in one file, so that a killed run continues to the same bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fdtd/observables/monitors.hpp"
#include "fdtd/run/divergence.hpp"
#include "fdtd/run/snapshot_recorder.hpp"
#include "fdtd/run/stop.hpp"

namespace umov::fdtd {

/// A normalised pair takes the march without the bodies first.
enum class Phase : int { reference, run };

struct RunState {
  std::uint64_t fingerprint = 0;  ///< of the case
  Phase phase = Phase::reference;
  double seconds = 0;  ///< spent on time steps in this phase
  StopRule::State stop;
  DivergenceWatch::State divergence;
  SnapshotRecorder::Recorded snapshots;
  ReferenceFields reference;  ///< of a normalised pair, once known
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
