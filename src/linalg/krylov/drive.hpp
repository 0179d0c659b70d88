// The loop above the Krylov solvers: when to stop, why it stopped, and what to try next.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "linalg/krylov/krylov.hpp"

namespace umov::krylov {

enum class Ending { converged, iteration_limit, stagnated, diverged, broke_down, interrupted };

struct DriveOptions {
  double epsilon = 1e-5;         ///< stop at |r| <= epsilon |b|
  long max_iterations = -1;      ///< of this run, earlier ones included; -1 = no limit
  long first_iteration = 0;      ///< iterations done before, by a checkpointed run or before a restart
  bool resume = false;           ///< the solver's state() was restored: attach instead of start
  long stagnation_window = 5000; ///< products without a new minimum of the residual before giving up; 0 = never
  /// Called after each iteration with its number and relative residual; false stops.
  std::function<bool(long iteration, double residual)> hook;
};

struct Outcome {
  Ending ending = Ending::converged;
  long iterations = 0;  ///< count of the last one, DriveOptions::first_iteration included
  double residual = 0;  ///< |r| / |b| as the solver tracked it
  std::string advice;   ///< empty when converged
};

/// What happened, for a person: `solver` and `single` describe the run, `why` is a breakdown's reason.
std::string advice(const Outcome&, const std::string& solver, bool single, double epsilon, double best,
                   long window, const char* why);

/// A residual that falls by less than this factor is no new minimum.
inline constexpr double stagnation_factor = 0.999;
/// A relative residual above this (times the start's, when that is above 1) will not come back.
inline constexpr double divergence_limit = 1e8;

/// Iterates `solver` on x with r = b - A x, |r|^2 = rr and |b|^2 = b_norm2 until `options` says stop; appends
/// the relative residual of the start (unless resumed) and of each iteration to `history`. x and r are
/// current on return. A breakdown leaves them usable: the caller may compute r anew and start again.
template <class Solver>
Outcome drive(Solver& solver, Complex<typename Solver::Real>* x, Complex<typename Solver::Real>* r, double rr,
              double b_norm2, const DriveOptions& options, std::vector<double>& history) {
  const auto relative = [&](double norm2) {
    return norm2 == 0 ? 0.0 : std::sqrt(norm2) / (b_norm2 > 0 ? std::sqrt(b_norm2) : 1.0);
  };
  if constexpr (requires { solver.stop_at(rr); }) solver.stop_at(options.epsilon * options.epsilon * b_norm2);
  Outcome out{Ending::converged, options.first_iteration, relative(rr), {}};
  if (options.resume) {
    solver.attach(x, r);
  } else {
    history.push_back(out.residual);
    solver.start(x, r, rr);
  }
  const long window = options.stagnation_window / Solver::products;
  const double limit = divergence_limit * std::max(1.0, out.residual);
  double best = out.residual;
  long best_at = out.iterations;
  const char* why = nullptr;
  const auto ended = [&](Ending ending) {
    out.ending = ending;
    return true;
  };
  const auto finished = [&] {
    if (out.residual <= options.epsilon) return ended(Ending::converged);
    if (!(out.residual <= limit)) return ended(Ending::diverged);
    if (why) return ended(Ending::broke_down);
    if (options.max_iterations >= 0 && out.iterations >= options.max_iterations)
      return ended(Ending::iteration_limit);
    if (window > 0 && out.iterations - best_at >= window) return ended(Ending::stagnated);
    return false;
  };
  while (!finished()) {
    const Step step = solver.iterate();
    const double residual = relative(step.rr);
    why = step.breakdown;
    // a breakdown found before anything moved is no iteration
    if (why && residual == out.residual) continue;
    out.residual = residual;
    history.push_back(residual);
    ++out.iterations;
    if (residual < stagnation_factor * best) {
      best = residual;
      best_at = out.iterations;
    }
    if (options.hook && !options.hook(out.iterations, residual) && residual > options.epsilon) {
      out.ending = Ending::interrupted;
      break;
    }
  }
  if (out.ending != Ending::converged)
    out.advice = advice(out, Solver::name, std::is_same_v<typename Solver::Real, float>, options.epsilon, best,
                        window, why);
  return out;
}

}  // namespace umov::krylov
