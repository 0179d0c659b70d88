// The boundary to the device of the iteration in pseudo-time: reference for the fast method, and for what
// that cannot solve.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harmonic/engine.hpp"
#include "harmonic/problem.hpp"

namespace umov::harmonic {

/// How t and s of edges in rough planes are kept (in layers there is one pair per plane).
enum class Coefficients { by_index, stored };

struct PseudoTimeOptions {
  double tolerance = 1e-5;  ///< of the estimated distance to the steady field over the largest field
  long max_steps = 1000000;
  double courant = 0.99;     ///< of the largest stable time step
  int steps_per_period = 0;  ///< 0: as the time step asks
  double ramp = 20;          ///< periods in which the source is switched on
  bool backwards = true;     ///< cells of Re eps < 0 are iterated backwards (THIIM); without, they diverge
  /// Called once per period with the steps so far and the estimated distance; false stops.
  std::function<bool(long, double)> hook;
};

struct PseudoTimeReport {
  long steps = 0;
  int steps_per_period = 0;
  double step_change = 0;    ///< largest change of any edge in the last step over the largest field
  double period_change = 0;  ///< in the last period, which static fields do not show in
  double distance = 1;       ///< estimated from both: to the steady field
  double decay = 0;          ///< periods in which changes fall by e; 0: they did not fall
  double steps_left = -1;    ///< to the tolerance; -1: there is no telling
  double residual = 0;       ///< of the equations, over their source: that of rough planes, or the whole one
  bool converged = false, interrupted = false;
  std::string diverged;  ///< what was seen and its likely cause, or ""
  double seconds = 0;
  double bytes_per_voxel = 0;  ///< of fields and coefficients

  std::string text() const;  ///< one line for logs
};

/// x(n + 1) = M x(n) on one device. Throws BadInput or MachineFailure.
class PseudoTime {
 public:
  virtual ~PseudoTime() = default;
  /// The field of the cell under the source that gives `layered` [3][nz] in the layered one. If `fields` has
  /// values they are the start, and the iteration solves for what they lack.
  virtual PseudoTimeReport run(const std::vector<cplx>& layered, const PseudoTimeOptions&,
                               Fields& fields) = 0;
  /// E after so many steps, as it is: for tests and measurements.
  virtual Fields march(const std::vector<cplx>& layered, const PseudoTimeOptions&, long steps) = 0;
  virtual std::string device_name() const = 0;
};

struct PseudoTimeRequest {
  std::string backend = "auto";  ///< auto, serial, cpu, cuda
  int threads = 0;               ///< of cpu; 0 = all
  int device = 0;                ///< number of the GPU
  bool single = false;           ///< steps in single precision; what is left is found in double, and repeated
  bool tuned = true;             ///< a backend's fused passes; without, H and then E of all planes
  Coefficients coefficients = Coefficients::by_index;
  bool poison =
#ifdef NDEBUG
      false;
#else
      true;
#endif
  ///< padding starts as NaN, so that a wrong index shows
};
/// Throws BadInput for an unknown backend or a texture in an absorbing layer, and MachineFailure for a
/// backend that is not here or a cell that its GPU cannot hold.
std::unique_ptr<PseudoTime> make_pseudo_time(const Problem&, const PseudoTimeRequest&);

/// Bytes that it takes, roughly: the fields twice where passes of a GPU read one copy and write the other.
MemoryNeed pseudo_time_memory(const Problem&, const PseudoTimeRequest&);

}  // namespace umov::harmonic
