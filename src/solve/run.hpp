// Systems of equations from files: read, solved on one rank or several, and what came of it as arrays.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "linalg/amg/solver.hpp"
#include "results/result.hpp"
#include "run/machine.hpp"

namespace umov::solve {

/// A symmetric definite system, as `umov solve` and the library's family "solve" know it.
struct Simulation {
  std::string matrix;          ///< file, Matrix Market
  std::string right_side;      ///< the same, one column; "": A times a known solution
  std::string known = "ones";  ///< without a right-hand side: ones, or random
  amg::SolveRequest solver;
};

/// What the files say, or the known solution.
struct System {
  sparse::HostCsr matrix;
  index_t repeated = 0;  ///< entries at a place that had one already; they are added up
  std::vector<double> right_side;
  std::vector<double> known;  ///< empty where the right-hand side is given
};

struct Outcome {
  System system;
  double read_seconds = 0;
  amg::Solution solution;
  double error = std::numeric_limits<double>::quiet_NaN();  ///< |x - x_known| / |x_known|
  std::string ranks;  ///< what they sent and waited for, in words; "": one rank
};

/// Reads and checks. Throws BadInput with the file's line or the entry's place.
System read_system(const Simulation&);

/// Of every rank; the first alone reads, and has the outcome. Not converging is no exception. `given`: a
/// checked system, and no file is read.
Outcome run(const Simulation&, const run::Machine&, comm::Communicator&, const System* given = nullptr);

/// The solution and how it went. What a run takes (seconds, memory) has names that say so.
results::Result to_result(const Outcome&);

}  // namespace umov::solve
