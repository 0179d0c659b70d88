// What a sweep needs of a family: to check a case, and to compute it.
#pragma once

#include <functional>
#include <string>

#include "parameters/parameters.hpp"
#include "parameters/tree.hpp"
#include "results/result.hpp"

namespace umov::sweep {

/// What a worker computes with.
struct Seat {
  std::string backend = "cpu";  ///< cpu, serial or cuda
  int device = -1;              ///< number of the GPU
  int threads = 1;
};

/// What a case asks for, and how large it is.
struct Need {
  std::string backend;  ///< of the machine; may be "auto"
  int device = -1, threads = 0;
  double bytes = 0;  ///< that it takes, about; 0: not known
};

/// What came of a case. Times and memory are no results: tables are the same on every machine.
struct Found {
  results::Result result;  ///< without voxels
  bool converged = true;
  std::string why_not = {};
};

/// What a run tells and asks. Called by the worker's thread.
struct Watch {
  std::function<bool()> go_on;
  std::function<void(const std::string&)> warning;
};

/// Computes cases one after another on one thread, keeping what the next can use.
using Worker = std::function<Found(const Tree&, const Watch&)>;

struct Family {
  std::string name;
  const ParameterList* parameters = nullptr;
  /// Reads and checks a case without running it. Throws BadInput.
  std::function<void(const Tree&)> check;
  /// The same, and what it needs.
  std::function<Need(const Tree&)> need;
  /// A worker on its seat. Throws as the family's run does: BadInput, MachineFailure, run::Interrupted.
  std::function<Worker(const Seat&)> worker;
};

}  // namespace umov::sweep
