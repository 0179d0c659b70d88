// The state of a run in time in one file, so that a killed run continues to the same bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/fields.hpp"
#include "fdtd/observables/monitors.hpp"
#include "fdtd/run/divergence.hpp"
#include "fdtd/run/snapshot_recorder.hpp"
#include "fdtd/run/stop.hpp"

namespace umov::fdtd {

/// A normalised pair takes the march without the bodies first, or both side by side.
enum class Phase : int { reference, run };

/// One march on its way.
struct MarchState {
  Phase phase = Phase::reference;
  double seconds = 0;    ///< spent on time steps in this phase
  std::string ended_by;  ///< the criterion that ended it; "" = none yet
  StopRule::State stop;
  DivergenceWatch::State divergence;
  SnapshotRecorder::Recorded snapshots;
  std::vector<std::byte> engine, monitors;
  UMOV_FIELDS(phase, seconds, ended_by, stop, divergence, snapshots, engine, monitors)
};

struct RunState {
  std::uint64_t fingerprint = 0;    ///< of the case
  std::uint64_t stop = 0;           ///< of what ends its marches
  std::vector<MarchState> marches;  ///< the reference run, unless it is done, then the run, if it is begun
  ReferenceFields reference;        ///< of a normalised pair, once known
};

/// A number that tells cases apart by what decides their fields and samples: not by the end of the run, the
/// outputs, or the machine. The contents of files count, too.
std::uint64_t case_fingerprint(const Simulation&);

/// A number that tells criteria of the end apart.
std::uint64_t stop_fingerprint(const Stop&);

/// A march as bytes, to be sent to the rank that writes. Throws BadInput: damaged.
std::vector<std::byte> to_bytes(const MarchState&);
MarchState march_of(const std::vector<std::byte>&);

/// Writes the whole file or nothing. Throws as AtomicFile does.
void save_checkpoint(const RunState&, const std::string& path);
/// Throws BadInput: no such file, damaged, or of another case. There is a march at least.
RunState load_checkpoint(const std::string& path, std::uint64_t fingerprint);

}  // namespace umov::fdtd
