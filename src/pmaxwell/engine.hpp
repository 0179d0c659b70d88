// The boundary to the device: the four kernels of the split iteration.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/timer.hpp"
#include "pmaxwell/system.hpp"

namespace umov::pmaxwell {

/// What a step changed, over the points that every cell has.
struct Changes {
  double plain = 0;    ///< largest abs(E(n) - E(n-1)) of any component
  double phasor = -1;  ///< over a period, without what stands still in the laboratory; -1: not known
  double largest = 0;  ///< largest abs(E); not finite when some field is not
};

/// Steps before a look at the fields whose E is kept.
enum class Moment { two_strides, one_stride, one_step };

/// One system on one device. Throws MachineFailure.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Periodic E update, H step, periodic H update, E step. `strength`: the sources' part of what they are.
  virtual void step(double strength) = 0;
  /// Keeps E for `changes`.
  virtual void keep(Moment) = 0;
  /// Of the last step, of the phasor over two strides. `turn`: angle by which a static field turns in a step.
  /// A stride of 0 tells no phasor's change.
  virtual Changes changes(double turn, int stride) = 0;
  /// sqrt(sum of abs(E_c)^2 + abs(H_c)^2) of the cells [z][y][x]; `of_parts`: of both parts of each
  /// component.
  virtual std::vector<float> norm(bool of_parts = false) = 0;
  /// One of the twelve fields (arrays 0 to 11).
  virtual std::vector<Value> field(int array) = 0;
  virtual std::string device_name() const = 0;
  /// Where the time went.
  virtual const TimerTable& times() const = 0;
};

/// Which planes are copied before each half step (Apelt 2011, section 3.6.2, says both).
enum class Copies {
  text,     ///< the last planes across x and y become the first
  formulas  ///< point 1 of each component along its own axis goes to n - 2 (x), n - 1 (y, z), n = cells + 1
};

struct EngineRequest {
  std::string backend = "auto";  ///< auto, serial, cpu, cuda
  int threads = 0;               ///< of cpu; 0 = all
  int device = 0;                ///< number of the GPU
  Copies copies = Copies::text;
};

/// Throws BadInput for an unknown backend and MachineFailure for one that is not here or has no room. Takes
/// the arrays of the system, one after the other, so that they are not in memory twice: they are empty
/// afterwards.
std::unique_ptr<Engine> make_engine(System&& system, const EngineRequest&);

/// What "auto" means on this machine: "cuda" where a GPU is usable, else "cpu"; other names as they are.
std::string resolved_backend(const std::string&);

/// Bytes that an engine takes.
double engine_bytes(const Int3& cells);

}  // namespace umov::pmaxwell
