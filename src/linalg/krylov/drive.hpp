// The loop above the Krylov solvers: when to stop, why it stopped, and what to try next.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "linalg/krylov/krylov.hpp"
#include "linalg/krylov/remedy.hpp"

namespace umov::krylov {

enum class Ending { converged, iteration_limit, stagnated, broke_down, interrupted };

struct DriveOptions {
  double epsilon = 0;        ///< stop at |r| <= epsilon |b|; whoever solves chooses it
  long max_iterations = -1;  ///< earlier ones included; -1 = no limit
  /// Called after each iteration with its number and relative residual; false stops.
  std::function<bool(long iteration, double residual)> hook;
  long stagnation_window =
      5000;  ///< products without a new minimum of the residual before giving up; 0 = never
};

struct Outcome {
  Ending status = Ending::converged;
  long iterations = 0;  ///< number of the last one, earlier ones included
  double residual = 0;  ///< |r| / |b| as the solver tracked it
  Diagnosis diagnosis;  ///< what happened and what to try; empty when converged
};

/// What a run was, for its diagnosis. `why` is a breakdown's reason or null.
struct Course {
  const char* solver;
  bool single;
  double epsilon, best;
  long window;
  const char* why;
};
Diagnosis diagnose(const Outcome&, const Course&);

/// A residual that falls by less than this factor is no new minimum.
inline constexpr double stagnation_factor = 0.999;
/// A relative residual above this (times the start's, when that is above 1) will not come back.
inline constexpr double divergence_limit = 1e8;

/// Iterates a started (or restored) solver for |b|^2 = b_norm2 until `options` says stop. `done` iterations
/// came before; history.back() is the current relative residual |r| / |b|, and that of each iteration is
/// appended. x and r are current on return. Divergence and NaN end as a breakdown: after one the caller may
/// compute r anew and start the solver again.
template <class Solver>
Outcome drive(Solver& solver, double b_norm2, long done, const DriveOptions& options,
              std::vector<double>& history) {
  constexpr bool single = std::is_same_v<typename Solver::Real, float>;
  const double scale = 1 / std::sqrt(b_norm2 > 0 ? b_norm2 : 1.0);
  if constexpr (requires { solver.stop_at(0.0); })
    solver.stop_at(options.epsilon * options.epsilon * b_norm2);
  Outcome out{Ending::converged, done, history.back(), {}};
  Course course{Solver::name,
                single,
                options.epsilon,
                out.residual,
                (options.stagnation_window + Solver::products - 1) / Solver::products,
                nullptr};
  const double limit = divergence_limit * std::max(1.0, out.residual);
  long best_at = done;
  const auto ended = [&] {
    if (out.residual <= options.epsilon) return out.status = Ending::converged, true;
    if (!course.why && !(out.residual <= limit)) course.why = "the residual grew without bound";
    if (course.why) return out.status = Ending::broke_down, true;
    if (options.max_iterations >= 0 && out.iterations >= options.max_iterations)
      return out.status = Ending::iteration_limit, true;
    if (course.window > 0 && out.iterations - best_at >= course.window)
      return out.status = Ending::stagnated, true;
    return false;
  };
  while (!ended()) {
    const Step step = solver.iterate();
    const double residual = scale * std::sqrt(step.rr);
    course.why = step.breakdown;
    // a breakdown found before anything moved is no iteration
    if (course.why && std::abs(residual - out.residual) <= 1e-12 * out.residual) continue;
    out.residual = residual;
    history.push_back(residual);
    ++out.iterations;
    if (residual < stagnation_factor * course.best) {
      course.best = residual;
      best_at = out.iterations;
    }
    const bool go_on = !options.hook || options.hook(out.iterations, residual);
    if (!go_on && residual > options.epsilon) {
      out.status = Ending::interrupted;
      break;
    }
  }
  out.diagnosis = diagnose(out, course);
  return out;
}

}  // namespace umov::krylov
