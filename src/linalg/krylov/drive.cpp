// Why a system did not converge, and what may help.
#include "linalg/krylov/drive.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace umov::krylov {

namespace {

/// Below this relative residual a single-precision vector is all rounding.
constexpr double single_floor = 1e-5;

std::vector<std::string> other_solvers(std::string_view solver) {
  for (std::string_view general : std::array{"bicgstab", "bcgs2", "gpbicg", "tfqmr", "cgs", "cgnr",
                                             "rbicgstab", "mlbicgstab", "mlbicgstab_orig", "mlbicgstab_ss"})
    if (solver == general) return {"qmr2", "idr4"};
  if (solver == "idr4" || solver == "idr8") return {"qmr2", "gpbicg"};
  return {"bcgs2", "idr4"};
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

Diagnosis diagnose(const Outcome& o, const Course& c) {
  Diagnosis d{what_happened(o, c), {}, {}};
  if (o.status == Ending::converged || o.status == Ending::interrupted) return d;
  if (c.single && c.best < single_floor && o.status != Ending::iteration_limit) {
    d.problem += " Single precision does not resolve much smaller residuals.";
    d.remedies = {Remedy::double_precision, Remedy::larger_epsilon};
    return d;
  }
  if (o.status == Ending::iteration_limit) d.remedies.push_back(Remedy::more_iterations);
  d.remedies.push_back(Remedy::other_solver);
  d.solvers = other_solvers(c.solver);
  if (c.single && o.status != Ending::iteration_limit) d.remedies.push_back(Remedy::double_precision);
  if (o.status == Ending::broke_down) d.remedies.push_back(Remedy::zero_start);
  return d;
}

Diagnosis rounding_limit(double true_residual, bool highest) {
  if (!std::isfinite(true_residual))
    return {"The true residual is not a number (the state that the solve began from holds NaN or infinity).",
            {Remedy::zero_start},
            {}};
  Diagnosis d{
      fmt::format("The true residual stays at {:.3g} (rounding errors of this precision).", true_residual),
      {Remedy::larger_epsilon},
      {}};
  if (!highest) d.remedies.push_back(Remedy::double_precision);
  return d;
}

}  // namespace umov::krylov
