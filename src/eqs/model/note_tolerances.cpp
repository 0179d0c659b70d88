// Remarks on the solvers' tolerances beside the accuracy that steps or a mesh have.
#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "eqs/integrators/stabilised_scheme.hpp"
#include "eqs/model/model_parts.hpp"

namespace umov::eqs {

namespace {

/// What a solve of residual tol leaves, in tol: measured on a coaxial sector of two layers, 500 to 30000
/// unknowns, tol = 0.1 to 1e-5: up to 4 in |E| in all analyses; in time, where residuals of stages add up in
/// the charges, 10 to 20 in these at 0.1 and 0.01.
double left_over(Analysis a) { return a == Analysis::transient ? 20 : 4; }
/// Errors that a mesh has anyway, where no tolerance of steps says what is wanted.
constexpr double of_a_mesh = 1e-3;

/// Which of the two tolerances ends the systems that results are made of.
struct AtWork {
  bool solver = false, newton = false;
};
AtWork at_work(const Simulation& s, const Problem& p) {
  bool kappa = false, eps = false;
  for (const Material& m : p.materials) {
    kappa = kappa || m.conductivity.nonlinear();
    eps = eps || m.permittivity.nonlinear();
  }
  switch (s.analysis) {
    case Analysis::electrostatic:
      return {!eps, eps};
    case Analysis::conduction:
      return {!kappa, kappa};
    case Analysis::harmonic:
      return {true, false};
    case Analysis::transient:
      break;
  }
  // Stages of rkc are linear systems unless permittivities bend; those of implicit steps, where anything does
  // not. Currents of electrodes are one linear system more where permittivities bend.
  const bool newton = eps || (kappa && !is_stabilised(s.time.scheme));
  return {!newton || eps || may_be_stabilised(s.time.scheme), newton};
}

void note_newton(const Simulation& s, std::vector<std::string>& out) {
  const TimeSpec& t = s.time;
  if (s.newton.tolerance > t.tolerance)
    out.push_back(fmt::format(
        "newton.tolerance {} is looser than time.tolerance {} (what Newton's method leaves exceeds "
        "the errors by which steps are chosen); set newton.tolerance to {} or less",
        shortest(s.newton.tolerance), shortest(t.tolerance), fmt::format("{:.3g}", 1e-3 * t.tolerance)));
}

/// Steps of random layers over one to two periods: 160, 1300 and 12500 in the mean at 1e-3, 1e-4 and 1e-5.
void note_first_order(const TimeSpec& t, std::vector<std::string>& out) {
  constexpr double tightest = 1e-4;
  if (t.scheme != Scheme::implicit_euler || t.tolerance >= tightest * (1 - 1e-9)) return;
  out.push_back(fmt::format(
      "time.tolerance {} is tight for a scheme of first order (ten times the steps for a tenth of "
      "the tolerance, some ten thousand over a period at 1e-5); take scheme = \"sdirk3\"",
      shortest(t.tolerance)));
}

/// A case without a length of steps to watch: by what the tolerance leaves alone.
void note_loose(const char* key, double tolerance, double wanted, bool controlled, double factor,
                std::vector<std::string>& out) {
  if (factor * tolerance <= wanted * (1 + 1e-9)) return;
  const std::string beside = controlled ? ", beside time.tolerance " + shortest(wanted) : "";
  const std::string charges = factor > 4 ? fmt::format(" and of {:.2g} in charges", factor * tolerance) : "";
  out.push_back(
      fmt::format("{} {} is loose (it leaves relative errors of up to some {:.2g} in |E|{}{}, which nothing "
                  "shows); set it "
                  "to {:.2g} or less",
                  key, shortest(tolerance), 4 * tolerance, charges, beside, 1e-3 * wanted));
}

}  // namespace

void note_tolerances(const Simulation& s, Problem& p) {
  const AtWork used = at_work(s, p);
  const bool controlled = s.analysis == Analysis::transient && s.time.step == 0;
  const double wanted = controlled ? s.time.tolerance : of_a_mesh;
  if (controlled) note_first_order(s.time, p.warnings);
  if (used.solver)
    note_loose("solver.tolerance", s.linear.tolerance, wanted, controlled, left_over(s.analysis), p.warnings);
  // of linear systems, too: one that stagnates is taken where it is below newton.tolerance
  if (controlled && !is_stabilised(s.time.scheme))
    note_newton(s, p.warnings);
  else if (used.newton)
    note_loose("newton.tolerance", s.newton.tolerance, wanted, false, left_over(s.analysis), p.warnings);
}

}  // namespace umov::eqs
