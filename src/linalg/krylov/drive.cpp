// Advice to the person whose system did not converge.
#include "linalg/krylov/drive.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace umov::krylov {

namespace {

/// Below this relative residual a single-precision vector is all rounding.
constexpr double single_floor = 1e-5;

std::string other_solvers(std::string_view solver) {
  for (std::string_view general : std::array{"bicgstab", "bcgs2", "gpbicg", "cgnr"})
    if (solver == general) return "--iter qmr2 or idrs";
  return solver == "idrs" || solver == "idr8" ? "--iter qmr2 or gpbicg" : "--iter bcgs2 or idrs";
}

std::string what_happened(const Outcome& o, const Course& c) {
  const auto at = fmt::format("relative residual {:.3g} after {} iterations (asked for {:.3g})", o.residual,
                              o.iterations, c.epsilon);
  switch (o.status) {
    case Ending::converged:
      return {};
    case Ending::iteration_limit:
      return fmt::format("The solver {} reached its iteration limit at {}.", c.solver, at);
    case Ending::stagnated:
      return fmt::format("The solver {} stagnated: nothing below {:.3g} in the last {} iterations, {}.",
                         c.solver, c.best, c.window, at);
    case Ending::broke_down:
      return fmt::format("The solver {} broke down ({}) at {}.", c.solver, c.why ? c.why : "unknown reason",
                         at);
    case Ending::interrupted:
      return fmt::format("The solver {} was stopped at {}.", c.solver, at);
  }
  return {};
}

}  // namespace

std::string advice(const Outcome& o, const Course& c) {
  const std::string fact = what_happened(o, c);
  if (o.status == Ending::converged || o.status == Ending::interrupted) return fact;
  if (o.status == Ending::iteration_limit)
    return fact + " Raise --maxiter, or try " + other_solvers(c.solver) + ".";
  if (c.single && c.best < single_floor)
    return fact +
           " Single precision does not resolve much smaller residuals; try --ftype double or a larger --eps.";
  std::string hint = fact + " Try " + other_solvers(c.solver);
  if (c.single) hint += ", --ftype double";
  if (o.status == Ending::broke_down) hint += ", or another start vector (--init-field zero)";
  return hint + "; a smaller refractive index makes the system easier.";
}

}  // namespace umov::krylov
