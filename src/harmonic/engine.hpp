// The boundary to the device: fields of a cell with rough interfaces.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harmonic/problem.hpp"

namespace umov::harmonic {

struct SolveOptions {
  double tolerance = 1e-5;  ///< of the residual of the whole system over that of the layered cell's field
  long max_iterations = 2000;
  /// Solutions with the same number are neighbours: the next wavelength's start is made of them; below 0
  /// none. Results then depend, within the tolerance, on what was solved before.
  int series = -1;
  /// All planes of the fields are wanted. If not, and the solve converges, no more is handed out than powers
  /// and orders are made of: a large cell's fields take longer to come from a device than some solves.
  bool whole = true;
  /// Called after each iteration with its number and relative residual; false stops.
  std::function<bool(long, double)> hook;
};

/// Of the iteration. The equations' residual, what is added up and the fields are double in any case.
enum class Precision { automatic, single, double_ };

/// The iteration over the rough planes. gmres keeps every direction: fewest iterations, and in float as good
/// as in double; idr: IDR(8), 17 vectors.
enum class KrylovSolver { automatic, gmres, idr };

struct SolveReport {
  long iterations = 0;  ///< applications of the layered cell's inverse
  double residual = 0;  ///< computed anew from the solution
  bool converged = true, interrupted = false;
  bool single = false;                ///< the iteration ended in single precision
  bool fell_back = false;             ///< it was begun in single precision, which led no further
  bool room_full = false;             ///< gmres had no room for more directions: idr went on
  double seconds = 0, iterating = 0;  ///< of all, of the iteration
  double sent_back = 0;  ///< where open ends were given up for absorbing ones: their end_reflection
  std::string trouble;   ///< what is to be said of a solve without convergence beyond its residual, or ""
};

/// Fields of one problem on one device. Throws BadInput or MachineFailure.
class Engine {
 public:
  virtual ~Engine() = default;
  /// From the field of the layered cell [3][nz] (every column alike) to that of the cell. A flat cell takes
  /// no iteration.
  virtual SolveReport solve(const std::vector<cplx>& layered, const SolveOptions&, Fields&) = 0;
  /// The same cell at another wavelength: what solutions left is kept as starts.
  virtual void change(const Problem&) = 0;
  virtual std::string device_name() const = 0;
  /// The iteration of a cell with rough planes and why it is this one, in a line; "" where there is none.
  virtual std::string iteration() const { return ""; }
};

struct EngineRequest {
  std::string backend = "auto";  ///< auto, serial, cpu, cuda
  int threads = 0;               ///< of cpu; 0 = all
  int device = 0;                ///< number of the GPU
  Precision precision = Precision::automatic;
  int tile = 0, tile_overlap = 0;  ///< columns of tiles where metal is rough; tile = 0: chosen
  KrylovSolver solver = KrylovSolver::automatic;
  double room = 0;  ///< bytes that are free on the device; 0: enough
  int sharing = 1;  ///< engines that share what is free on the device
};
/// Throws BadInput for an unknown backend and MachineFailure for one that is not here.
std::unique_ptr<Engine> make_engine(const Problem&, const EngineRequest&);

/// What "auto" means on this machine: "cuda" where a GPU is usable, else "cpu"; other names as they are.
std::string resolved_backend(const std::string&);

/// What `automatic` means on a backend.
Precision chosen(Precision, const std::string& backend);

/// Bytes that solving takes on the device, roughly, and beside them in host memory (0 where they are one).
struct MemoryNeed {
  double device = 0, host = 0;
};
MemoryNeed estimated_memory(const Problem&, const EngineRequest&);

/// What `automatic` means for a cell: gmres where metal is rough and `least_directions` of it take no more
/// than `usable_room` of the room with all else, otherwise idr. Without metal both move about the same bytes.
struct SolverChoice {
  KrylovSolver solver = KrylovSolver::idr;
  long directions = 0;  ///< that gmres has room for
  double each = 0;      ///< bytes of one
  std::string why;
};
inline constexpr long least_directions = 150;
inline constexpr double usable_room = 0.8;
SolverChoice choose_solver(const Problem&, const EngineRequest&);

}  // namespace umov::harmonic
