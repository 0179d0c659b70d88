// One system from the checks to a solution that is measured, and words for what failed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "linalg/amg/attempt.hpp"

namespace umov::amg {
namespace {

using sparse::HostCsr;
using sparse::Wide;

/// Replaces what the iteration noticed by what it means.
void explain(const HostCsr& a, Attempt& attempt, Solution& s) {
  if (s.info.why_not.find("not positive definite") != std::string::npos) {
    const int sign = attempt.scaling().sign();
    const std::string noticed = s.info.why_not;
    if (const auto v = negative_curvature(a, sign))
      s.info.why_not = fmt::format(
          "the matrix is indefinite, though its diagonal is {}: v . A v = {:.3g} v . v for a vector v whose "
          "largest element is {}; check the signs of its terms, or use a solver for indefinite systems "
          "(MINRES, LDL^T)",
          sign > 0 ? "positive" : "negative", sign * v->quotient, v->largest + 1);
    else
      s.info.why_not = "rounding spoils the iteration: " + noticed +
                       ", but no vector v with v . A v < 0 was found: the matrix is close to singular";
  } else if (s.info.why_not.find("stagnates") != std::string::npos) {
    const double least = attempt.floor_of(s.x);
    if (least > 0 && s.info.residual < 100 * least)
      s.info.why_not += fmt::format(" (rounding of x alone makes a residual of about {:.1g})", least);
  }
}

}  // namespace

Solution solve(const HostCsr& a, const std::vector<double>& b, const SolveRequest& request) {
  const int sign = check_system(a, "matrix");
  if (int(b.size()) != a.rows)
    throw BadInput(fmt::format("the right-hand side has {} elements, the matrix {} rows; give one per row",
                               b.size(), a.rows));
  for (std::size_t i = 0; i < b.size(); ++i)
    if (!std::isfinite(b[i]))
      throw BadInput(fmt::format("right-hand side: element {} is {}; give finite numbers", i + 1, b[i]));
  const Wide wide(b.begin(), b.end());
  Attempt first(a, wide, request, sign, Scaling::Rows::choose);
  Solution s = first.run();
  Attempt* measured = &first;
  std::optional<Attempt> second;
  if (!s.info.converged && !first.inconsistent() && !first.scaling().by_rows() &&
      first.scaling().span() > 1000) {
    SolveRequest in_double = request;
    in_double.options.single_precision = false;
    second.emplace(a, wide, in_double, sign, Scaling::Rows::divide);
    Solution other = second->run();
    if (other.info.converged || other.info.residual < 0.5 * s.info.residual) {
      other.note = "without scaling of the rows it failed (" + s.info.why_not + ")";
      s = std::move(other);
      measured = &*second;
    }
    if (!s.info.converged) explain(a, *second, s);
  } else if (!s.info.converged && !first.inconsistent()) {
    explain(a, first, s);
  }
  const bool scaled = first.scaling().by_rows();
  constexpr double beyond_norms = 1e30, wrong = 1e-6;
  if (s.info.converged && first.scaling().span() > beyond_norms)
    if (const auto [ratio, row] = first.worst_row(s.x); ratio > wrong) {
      s.info.converged = false;
      s.info.why_not = fmt::format(
          "the diagonal spans {:.0e} (more than norms over all rows carry): small elements of x are wrong, "
          "the "
          "residual of row {} is {:.1g} of its terms; split the system, or scale its unknowns and equations "
          "to like size",
          double(first.scaling().span()), row + 1, ratio);
    }
  if (s.info.converged && std::isnan(s.error))
    s.note += std::string(s.note.empty() ? "" : "; ") +
              "how exact x is could not be estimated: the matrix is close to singular";
  measured->measure(s);
  constexpr double worthless = 1e-2;
  if (s.info.converged && measured->unsolved() > worthless) {
    s.info.converged = false;
    s.info.why_not =
        fmt::format("the residual is small, but x is off by about {:.1g} of its length", s.error_of_length);
  } else if (s.undetermined()) {
    s.note += std::string(s.note.empty() ? "" : "; ") +
              "the digits of A and b determine little of x (see the accuracy)";
  }
  const auto say = [&s](const char* what) { s.note = s.note.empty() ? what : what + ("; " + s.note); };
  if (scaled) say("rows and columns are scaled to unit diagonal");
  if (sign < 0) say("the diagonal is negative: -A x = -b is solved");
  return s;
}

}  // namespace umov::amg
