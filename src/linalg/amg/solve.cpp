// One system from the checks to a solution that is measured, and words for what failed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "core/error.hpp"
#include "linalg/amg/attempt.hpp"
#include "linalg/amg/dense.hpp"
#include "linalg/amg/null_space.hpp"

namespace umov::amg {
namespace {

using sparse::HostCsr;
using sparse::Wide;

/// Replaces what the iteration noticed by what it means.
void explain(const HostCsr& a, Attempt& attempt, Solution& s) {
  const Failure failure = s.info.failure;
  if (failure == Failure::matrix_not_definite || failure == Failure::preconditioner_not_definite) {
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
  } else if (failure == Failure::stagnated) {
    const double least = attempt.floor_of(s.x);
    if (least > 0 && s.info.residual < 100 * least)
      s.info.why_not += fmt::format(" (rounding of x alone makes a residual of about {:.1g})", least);
  }
}

/// Of a definite system: x by elimination, and how exact it is.
void take_eliminated(const HostCsr& a, const Wide& b, const DenseFactors& dense, Solution& s) {
  const auto [exact, left] = dense.solve(b);
  s.x = rounded(exact);
  Wide lost = sparse::difference(exact, s.x);
  for (std::size_t i = 0; i < lost.size(); ++i) lost[i] += left[i];
  const long double length = sparse::norm(exact);
  s.condition = dense.condition();
  s.sensitivity = 0;
  std::uint64_t state = 11;
  for (int trial = 0; trial < 4; ++trial) {  // entries changed by 2^-53, at random
    const auto sign = random_vector(a.rows, state);
    Wide change(a.rows, 0.0L);
    for (int i = 0; i < a.rows; ++i) {
      for (int k = a.start[i]; k < a.start[i + 1]; ++k)
        change[i] += std::abs(static_cast<long double>(a.value[k]) * s.x[a.column[k]]);
      change[i] *= sign[i] > 0 ? 0x1p-53L : -0x1p-53L;
    }
    s.sensitivity = std::max(s.sensitivity, double(sparse::norm(dense.solve(change).x) / length));
  }
  const long double energy = sparse::dot_wide(lost, sparse::times_wide(a, lost)) / sparse::dot_wide(exact, b);
  s.error = std::max(double(std::sqrt(std::abs(energy))), 0x1p-53);
  s.error_of_length = std::max(double(sparse::norm(lost) / length), s.sensitivity);
}

void call_singular(Solution& s) {
  s.info.fail(
      Failure::singular,
      "the matrix is singular to within the digits of double (changes in the 16th digit of its entries "
      "move x by as much as it is); give what fixes x, or take only what does not depend on all of it");
  s.error = s.error_of_length = std::numeric_limits<double>::quiet_NaN();
  s.sensitivity = 0;
}

/// A small system that iterations left in doubt: elimination in extended precision solves it (true: x, its
/// accuracy and its note are those of elimination), or says that it is singular as far as its digits go.
bool settle(const HostCsr& a, const Wide& b, const SolveRequest& request, const Attempt& attempt,
            Solution& s) {
  constexpr double doubtful = 1e8;
  const bool failed = !s.info.converged || attempt.singular() || std::isnan(s.error);
  const bool in_doubt = failed || s.condition == 0 || s.condition > doubtful;
  if (!in_doubt || !(sparse::norm(b) > 0)) return false;
  if (a.rows > DenseFactors::most_rows) {
    // an eigenvalue that rounding of products hides: no estimate of x along its vector is worth its digits
    constexpr double hidden = 0x1p51;
    if (s.info.converged && !attempt.singular() && s.condition > hidden) call_singular(s);
    return false;
  }
  const DenseFactors dense(a, attempt.scaling().sign());
  if (dense.kind() == DenseFactors::Kind::not_definite) return false;
  if (dense.kind() == DenseFactors::Kind::singular_in_digits) {
    if (attempt.singular()) {  // its x is the shortest, or the least residual's
      if (s.info.converged)
        s.note +=
            ", to within the digits of its entries: other 16th digits may make it regular, and x another";
      return false;
    }
    call_singular(s);
    return false;
  }
  if (!failed && dense.condition() < doubtful) return false;
  Solution settled = s;
  take_eliminated(a, b, dense, settled);
  // Pivots bound the least eigenvalue from above alone; x itself shows what other last digits would make of
  // it.
  constexpr double meaningless = 0.5;
  if (!(settled.sensitivity < meaningless)) {
    call_singular(s);
    return false;
  }
  for (const double v : settled.x)
    if (!std::isfinite(v)) return false;
  settled.info.residual = attempt.residual_of(settled.x);
  if (settled.info.residual <= request.tolerance)
    settled.info.succeed();
  else
    settled.info.fail(
        Failure::tolerance_unreachable,
        fmt::format(
            "the tolerance is below what x in double can reach (rounding of x alone makes a residual of "
            "about {:.1g}); x is right to the accuracy stated",
            attempt.floor_of(settled.x)));
  settled.note =
      "solved by elimination in extended precision: iterations in double do not see all of the matrix";
  s = std::move(settled);
  return true;
}

/// Puts what is said of x's digits behind the other notes.
void note_undetermined(Solution& s) {
  s.note += std::string(s.note.empty() ? "" : "; ") +
            "the digits of A and b determine little of x (see the accuracy)";
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
  const bool too_large = s.info.failure == Failure::range_of_double;
  constexpr double beyond_norms = 1e30, wrong = 1e-6;
  if (s.info.converged && first.scaling().span() > beyond_norms)
    if (const auto [ratio, row] = first.worst_row(s.x); ratio > wrong) {
      s.info.fail(Failure::inexact, fmt::format("the diagonal spans {:.0e} (more than norms over all rows "
                                                "carry): small elements of x are wrong, "
                                                "the residual of row {} is {:.1g} of its terms; split the "
                                                "system, or scale its unknowns and equations "
                                                "to like size",
                                                double(first.scaling().span()), row + 1, ratio));
    }
  if (s.info.converged && std::isnan(s.error))
    s.note += std::string(s.note.empty() ? "" : "; ") +
              "how exact x is could not be estimated: the matrix is close to singular";
  measured->measure(s);
  constexpr double worthless = 1e-2;
  if (s.info.converged && measured->unsolved() > worthless) {
    s.info.fail(
        Failure::inexact,
        fmt::format("the residual is small, but x is off by about {:.1g} of its length", s.error_of_length));
  } else if (s.undetermined()) {
    note_undetermined(s);
  }
  const bool settled =
      first.scaling().span() <= beyond_norms && !too_large && settle(a, wide, request, *measured, s);
  if (settled && s.undetermined()) note_undetermined(s);
  const auto say = [&s](const char* what) { s.note = s.note.empty() ? what : what + ("; " + s.note); };
  if (scaled) say("rows and columns are scaled to unit diagonal");
  if (sign < 0) say("the diagonal is negative: -A x = -b is solved");
  return s;
}

}  // namespace umov::amg
