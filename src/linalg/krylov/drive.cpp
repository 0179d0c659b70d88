// Advice to the person whose system did not converge.
#include "linalg/krylov/drive.hpp"

#include <fmt/format.h>

namespace umov::krylov {

namespace {

/// Below this relative residual a single-precision vector is all rounding.
constexpr double single_floor = 1e-5;

std::string other_solvers(const std::string& solver) {
  const bool general = solver == "bicgstab" || solver == "bcgs2" || solver == "gpbicg" || solver == "idrs" ||
                       solver == "idr8" || solver == "cgnr";
  return general ? (solver == "idrs" ? "--iter qmr or gpbicg" : "--iter qmr or idrs")
                 : "--iter bicgstab or idrs";
}

std::string what_happened(const Outcome& o, const std::string& solver, double epsilon, double best, long window,
                          const char* why) {
  const auto at = fmt::format("relative residual {:.3g} after {} iterations (asked for {:.3g})", o.residual,
                              o.iterations, epsilon);
  switch (o.ending) {
    case Ending::converged: return {};
    case Ending::iteration_limit: return fmt::format("{} reached its iteration limit at {}.", solver, at);
    case Ending::stagnated:
      return fmt::format("{} stagnated: no residual below {:.3g} in the last {} iterations, {}.", solver, best,
                         window, at);
    case Ending::diverged: return fmt::format("{} diverged: {}; its best was {:.3g}.", solver, at, best);
    case Ending::broke_down: return fmt::format("{} broke down ({}) at {}.", solver, why ? why : "", at);
    case Ending::interrupted: return fmt::format("{} was stopped at {}.", solver, at);
  }
  return {};
}

}  // namespace

std::string advice(const Outcome& o, const std::string& solver, bool single, double epsilon, double best,
                   long window, const char* why) {
  const std::string fact = what_happened(o, solver, epsilon, best, window, why);
  const bool at_floor = single && best < single_floor;
  switch (o.ending) {
    case Ending::converged:
    case Ending::interrupted: return fact;
    case Ending::iteration_limit:
      return fact + " Raise --maxiter, or try " + other_solvers(solver) + ".";
    case Ending::stagnated:
    case Ending::diverged:
    case Ending::broke_down: break;
  }
  if (at_floor)
    return fact + " Single precision cannot resolve much smaller residuals; try --ftype double or a larger --eps.";
  std::string hint = fact + " Try " + other_solvers(solver);
  if (single) hint += ", --ftype double";
  if (o.ending == Ending::broke_down) hint += ", or another start vector (--init-field zero)";
  return hint + "; a smaller refractive index or a finer grid makes the system easier.";
}

}  // namespace umov::krylov
