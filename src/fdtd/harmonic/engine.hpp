// The boundary to the device: fields of a cell with rough interfaces.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fdtd/harmonic/problem.hpp"

namespace umov::fdtd::harmonic {

struct SolveOptions {
  double tolerance = 1e-5;  ///< of the residual of the whole system over that of the layered cell's field
  long max_iterations = 2000;
  /// Called after each iteration with its number and relative residual; false stops.
  std::function<bool(long, double)> hook;
};

struct SolveReport {
  long iterations = 0;  ///< applications of the layered cell's inverse
  double residual = 0;  ///< computed anew from the solution
  bool converged = true, interrupted = false;
  double seconds = 0;
  std::string trouble;  ///< what is to be said of a solve without convergence beyond its residual, or ""
};

/// Fields of one problem on one device. Throws BadInput or MachineFailure.
class Engine {
 public:
  virtual ~Engine() = default;
  /// From the field of the layered cell [3][nz] (every column alike) to that of the cell. A flat cell takes
  /// no iteration.
  virtual SolveReport solve(const std::vector<cplx>& layered, const SolveOptions&, Fields&) = 0;
  virtual std::string device_name() const = 0;
};

struct EngineRequest {
  std::string backend = "auto";  ///< auto, serial, cpu
  int threads = 0;               ///< of cpu; 0 = all
};
/// Throws BadInput for an unknown backend and MachineFailure for one that is not here.
std::unique_ptr<Engine> make_engine(const Problem&, const EngineRequest&);

std::unique_ptr<Engine> make_serial_engine(const Problem&);
std::unique_ptr<Engine> make_cpu_engine(const Problem&, int threads);

/// Bytes that solving takes, roughly.
double estimated_bytes(const Problem&);

}  // namespace umov::fdtd::harmonic
