// The command `umov pmaxwell`: directories of VTK files, iterated or made.
#pragma once

#include <span>
#include <string>

#include "pmaxwell/engine.hpp"

namespace umov::pmaxwell {

/// `umov pmaxwell DIRECTORY ITERATIONS [SNAPSHOT_INTERVAL]`, or `umov pmaxwell --from CASE DIRECTORY`: the
/// exit code. Throws BadInput, MachineFailure, Interrupted.
int command(std::span<const std::string> args);

/// "thesis", or "derivative": names by the axis of the derivative and a positive s_H, as umov had them first.
/// Throws BadInput for another word.
Layout layout_named(const std::string&);
inline constexpr const char* layout_help =
    "thesis: the second letter of a part is the field's that drives it, s_H holds Faraday's minus; "
    "derivative: "
    "it is the axis of the derivative, s_H is positive (directories of older versions)";

/// What a run was asked for.
struct Request {
  std::string directory, output, state, backend = "auto", command_line;
  long iterations = 0, interval = 0;
  double epsilon = 0, tolerance = 0, ramp = 0;  ///< ramp in periods
  int threads = 0, device = 0;                  ///< of cpu; number of the GPU
  Layout layout;
  Copies copies = Copies::text;
  bool norm_of_parts = false;
  bool text = false, quiet = false, dry_run = false;
  bool force = false;  ///< write over files of an earlier state
};

/// Reads, iterates, writes results.N.vtk and the log.
int execute(const Request&);

/// `--from CASE DIRECTORY [options]`, the words after --from.
int generate(std::span<const std::string> words);

}  // namespace umov::pmaxwell
