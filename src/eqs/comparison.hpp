// Methods of one model against each other: what each takes, and how wrong steps of a length are.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "eqs/simulation.hpp"
#include "run/machine.hpp"

namespace umov::eqs {

/// B to G are those of table 7.6 of Richter 2019 (his A is B on processors), D to G with his heuristic for
/// the stages; H to J are our own. B, C and H are implicit.
struct Method {
  char letter;
  const char* text;
  Scheme scheme;
  SpectralRadius spectral_radius;
  StartVector start_vector;
  bool reuse = true;  ///< of the preconditioner, where the case has it
};
std::span<const Method> known_methods();

struct ComparisonSpec {
  bool wanted = false;
  std::vector<std::string> methods;  ///< letters; empty: all
  bool errors = true;                ///< a reference, and fixed steps against it
  std::vector<double> steps;  ///< s, of the fixed steps whose errors are taken; empty: a twentieth of the
                              ///< period (of the end without one), halved four times
};

/// One method with the case's control of steps.
struct MethodRow {
  Method method;
  bool converged = true;
  std::string why_not;
  double seconds = 0;  ///< of steps
  long steps = 0, rejected = 0, stages = 0, newton = 0, linear = 0, setups = 0, refreshes = 0;
  double difference =
      0;  ///< of the potentials at the end from the reference (without one from the first method)
};

/// Fixed steps of one length. Errors are Euclidean norms over the nodes, relative to the largest norm of the
/// reference in the run: at the zero of a voltage that at the end would be all but zero. Where the reference
/// is zero at all times they are not relative, V; so is MethodRow::difference.
struct StepErrorRow {
  Method method;
  double step = 0;
  double local = 0;   ///< of one step, at half the time, against many small ones of the same method
  double global = 0;  ///< at the end, against the reference
  double own = 0;     ///< at the end, against the same method in the shortest of the steps (0 of that one)
  /// Largest and mean of what the method itself estimates of each step (Richter 2019, figures 7.37 to 7.42),
  /// of those in the second half of the run; in units of time.tolerance's measure.
  double estimate_largest = 0, estimate_mean = 0;
};

struct Comparison {
  Simulation simulation;
  run::Machine machine;
  std::string version, device, mesh;
  std::size_t unknowns = 0;
  int order = 1;
  double end = 0, reference_step = 0;
  std::vector<MethodRow> methods;
  std::vector<StepErrorRow> errors;
  std::vector<std::string> warnings;

  bool converged() const {
    for (const auto& m : methods)
      if (!m.converged) return false;
    return true;
  }
};

}  // namespace umov::eqs
