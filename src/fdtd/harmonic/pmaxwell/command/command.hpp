// The command `umov pmaxwell`: directories of VTK files, iterated or made.
#pragma once

#include <span>
#include <string>

namespace umov::fdtd::harmonic::pmaxwell {

/// `umov pmaxwell DIRECTORY ITERATIONS [SNAPSHOT_INTERVAL]`, or `umov pmaxwell --from CASE DIRECTORY`: the
/// exit code. Throws BadInput, MachineFailure, Interrupted.
int command(std::span<const std::string> args);

/// What a run was asked for.
struct Request {
  std::string directory, output, state, backend = "auto", command_line;
  long iterations = 0, interval = 0;
  double epsilon = 0, tolerance = 0, ramp = 0;  ///< ramp in periods
  int threads = 0, device = 0;                  ///< of cpu; number of the GPU
  bool text = false, quiet = false, dry_run = false;
};

/// Reads, iterates, writes results.N.vtk and the log.
int execute(const Request&);

/// `--from CASE DIRECTORY [options]`, the words after --from.
int generate(std::span<const std::string> words);

}  // namespace umov::fdtd::harmonic::pmaxwell
