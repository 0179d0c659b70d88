// What a case is computed with, beside what it is: the same struct for every family.
#pragma once

#include <string>

#include "comm/asked.hpp"

namespace umov::run {

/// What computes a case, where the state of its run lies, and what this call of the program asks for. No
/// result depends on it.
struct Machine {
  std::string backend = "auto";  ///< auto | serial | cpu | cuda
  int device = -1;               ///< number of the GPU; -1: the first, or all that a family has work for
  int threads = 0;               ///< of the backend cpu; 0: all
  comm::Asked ranks;             ///< that compute the case together
  struct {
    double interval = 0;  ///< s between states that are saved; 0: only when the run is stopped
    bool resume = false;  ///< go on from the state in `output_dir`
  } checkpoint;
  std::string output_dir;    ///< of the state, and of a command's results; "": none, a numbered folder
  bool dry_run = false;      ///< print what would be computed, and stop
  bool quiet = false;        ///< no progress line, no summary
  std::string command_line;  ///< as typed, for logs

  /// The number of the GPU for an engine of one.
  int gpu() const { return device < 0 ? 0 : device; }
};

}  // namespace umov::run
