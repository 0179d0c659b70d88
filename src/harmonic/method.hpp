// How a cell's fields are found: by the exact inverse of its layers, by pseudo-time, or by the one and then
// the other.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harmonic/engine.hpp"
#include "harmonic/pseudo_time.hpp"

namespace umov::harmonic {

/// automatic: layered; where that stalls, pseudo_time from what it has. layered: the layered cell's inverse
/// and Krylov iterations. pseudo_time: leapfrog until steady, with cells of Re eps < 0 backwards (THIIM).
enum class Method { automatic, layered, pseudo_time };

struct MethodOptions {
  Method method = Method::automatic;
  long max_steps = 1000000;  ///< of pseudo-time
  /// Told, in one line, what became of a solve in pseudo-time, and of a change of method.
  std::function<void(const std::string&)> say;
  double limit = 0;  ///< s that `automatic` may take in pseudo-time per solve; 0: as long as it takes
};

/// How long an iteration that falls by a steady factor still takes, from what it has told so far.
class Forecast {
 public:
  /// `seconds` since its start; distances to the steady field as they are told.
  void add(double seconds, double distance);
  /// Seconds until `tolerance`, from the later half of what was told; -1: there is no telling.
  double left(double tolerance) const;

 private:
  struct Told {
    double seconds, distance;
  };
  std::vector<Told> told_;
};

/// An engine that solves as the method says. Its reports count steps of pseudo-time as iterations. Throws
/// BadInput and MachineFailure.
std::unique_ptr<Engine> make_engine_by(const MethodOptions&, const Problem&, const EngineRequest&);

/// Bytes that solving by a method takes, roughly; of `automatic` those of `layered`, with which it begins.
MemoryNeed estimated_memory(Method, const Problem&, const EngineRequest&);

/// Whether a Krylov iteration has stalled: from the 400th on, when the later half of its iterations has not
/// halved its residual.
class StallWatch {
 public:
  /// To be told every iteration's relative residual, in order.
  bool stalled(double residual);

 private:
  std::vector<double> least_;  ///< residual so far
};

}  // namespace umov::harmonic
