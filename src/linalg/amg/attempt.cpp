// A solve from x = 0, double after single precision, and corrections with the residual in extended precision.
#include "linalg/amg/attempt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace umov::amg {

using sparse::HostCsr;
using sparse::Wide;

std::vector<double> rounded(const Wide& x) { return {x.begin(), x.end()}; }

long double relative_residual(const HostCsr& a, const std::vector<double>& x, const Wide& b,
                              long double whole) {
  return sparse::norm(sparse::difference(b, sparse::times_wide(a, x))) / whole;
}

Solution Attempt::run() {
  plain();
  if (whole_ == 0) {
    s_.error = s_.error_of_length = 0;
    return std::move(s_);
  }
  // what has no solution cannot be corrected to one
  if (!s_.info.converged && solve_singular()) return std::move(s_);
  if (s_.info.converged || (s_.info.residual < 1e-2 && s_.info.iterations < request_.max_iterations))
    correct(b_, whole_);
  if (s_.info.converged && !null_.empty()) take_shortest();
  // so far that of the scaled system, or that before the last correction
  s_.info.residual = residual_of(s_.x);
  if (!s_.info.converged && !near_floor()) keep_the_best();
  if (!s_.info.converged && s_.info.failure == Failure::none)
    s_.info.fail(Failure::stagnated, "the residual stagnates at what double precision allows");
  return std::move(s_);
}

double Attempt::residual_of(const std::vector<double>& x) const {
  const double residual = double(relative_residual(a_, x, b_, whole_));
  return std::isfinite(residual) ? residual : std::numeric_limits<double>::infinity();
}

void Attempt::plain() {
  int exponent = 0;
  const auto right = scaling_.right_side(b_, exponent);
  std::string note;
  for (;;) {
    solver_ = make_linear_solver(request_);
    solver_->setup(scaling_.matrix());
    s_ = {};
    std::vector<double> x(a_.rows, 0.0);
    s_.info = solver_->solve(right, x);
    s_.setup = solver_->setup_info();
    s_.bytes = solver_->bytes();
    s_.device = solver_->device();
    s_.history = solver_->history();
    s_.ranks_of_levels = solver_->ranks_of_levels();
    s_.note = note;
    accept(x, exponent);
    if (s_.info.converged) return;
    if (request_.options.single_precision) {
      // what rounding to single precision may have spoilt
      note = "in single precision the preconditioner failed (" + s_.info.why_not + "); repeated in double";
      request_.options.single_precision = false;
    } else if (s_.info.failure == Failure::preconditioner_not_definite &&
               request_.options.smoother != Smoother::jacobi) {
      // what a spectrum beyond its estimate may have spoilt
      note += std::string(note.empty() ? "" : "; ") + s_.info.why_not + "; repeated with the smoother jacobi";
      request_.options.smoother = Smoother::jacobi;
    } else {
      return;
    }
  }
}

void Attempt::accept(const std::vector<double>& x, int exponent) {
  const Wide wide = scaling_.solution(x, exponent);
  s_.x = rounded(wide);
  long double lost = 0, all = 0;
  bool beyond = false;
  for (std::size_t i = 0; i < wide.size(); ++i) {
    beyond = beyond || std::abs(s_.x[i]) > std::numeric_limits<double>::max();
    const long double f = scaling_.factor(int(i)), d = (s_.x[i] - wide[i]) / f;
    lost += d * d, all += wide[i] / f * (wide[i] / f);
  }
  if (std::isnan(lost) || std::isnan(all)) return;  // no number came out, as the solver says
  if (!beyond && lost <= request_.tolerance * request_.tolerance * all) return;
  s_.info.fail(Failure::range_of_double,
               fmt::format("the solution is {} what a double holds; scale the matrix or the right-hand side",
                           beyond ? "beyond" : "below"));
}

void Attempt::correct(const Wide& b, long double whole) {
  if (!(whole > 0)) return;
  constexpr int most = 8;
  const double tolerance = request_.tolerance;
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < most; ++round) {
    const Wide r = sparse::difference(b, sparse::times_wide(a_, s_.x));
    const double residual = double(sparse::norm(r) / whole);
    const bool was_converged = s_.info.converged;
    if (round == 0 || residual <= tolerance) s_.info.converged = residual <= tolerance;
    if (s_.info.converged) s_.info.succeed();
    if (!std::isfinite(residual)) return;
    s_.info.residual = residual;
    if (residual == 0) {
      s_.error = s_.error_of_length = 0;
      return;
    }
    const int left = std::max(10, request_.max_iterations - s_.info.iterations);
    int exponent = 0;
    auto right = scaling_.right_side(r, exponent);
    amg::project_out(null_in_scaled_, right);
    std::vector<double> x(a_.rows, 0.0);
    // small elements of x, which no norm of the scaled system sees, want more
    solver_->aim(scaling_.by_rows() ? 1e-8 : 1e-2, left);
    const auto info = solver_->solve(right, x);
    if (!(info.residual < 0.1)) {
      // of a residual at the limit of precision a part may lie where no A x reaches
      if (!null_sought_ && find_null_space()) continue;
      s_.info.converged = s_.info.converged || (was_converged && residual < 2 * tolerance);
      return;
    }
    Wide e = scaling_.solution(x, exponent);
    project_out(null_, e);
    s_.error = double(std::sqrt(std::abs(sparse::dot_wide(e, r) / sparse::dot_wide(s_.x, b))));
    s_.error_of_length = double(sparse::norm(e) / sparse::norm(s_.x));
    const double worse = std::max({residual, s_.error, scaling_.by_rows() ? s_.error_of_length : 0});
    if (worse <= tolerance || !(worse < 0.7 * before)) return;
    before = worse;
    Wide sum = e;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += s_.x[i];
    const auto candidate = rounded(sum);
    if (!(relative_residual(a_, candidate, b, whole) <= std::max(residual, tolerance))) return;
    s_.x = candidate;
    s_.info.iterations += info.iterations;
    s_.info.seconds += info.seconds;
    const auto history = solver_->history();
    for (std::size_t k = 1; k < history.size(); ++k) s_.history.push_back(history[k] * residual);
  }
}

void Attempt::keep_the_best() {
  const auto best = std::min_element(s_.history.begin(), s_.history.end());
  if (best == s_.history.end()) return;
  const int found = int(best - s_.history.begin());
  // rows that are scaled have another norm: the least of that one may be far from the least of this
  std::vector<int> stops{0};
  if (*best < 0.9 * s_.info.residual || scaling_.by_rows()) stops = {found, found / 2, found / 8, 0};
  int exponent = 0, kept = -1;
  const auto right = scaling_.right_side(b_, exponent);
  for (const int iterations : stops) {
    std::vector<double> x(a_.rows, 0.0);
    if (iterations > 0) {
      solver_->aim(request_.tolerance, iterations);
      solver_->solve(right, x);
    }
    const auto candidate = rounded(scaling_.solution(x, exponent));
    const double residual = residual_of(candidate);
    if (!(residual < 0.9 * s_.info.residual)) continue;
    s_.x = candidate;
    s_.info.residual = residual;
    kept = iterations;
  }
  if (kept == 0)
    s_.info.why_not += "; no x that was met is nearer than 0, which is left";
  else if (kept > 0)
    s_.info.why_not += fmt::format("; x is that of iteration {}, the best", kept);
}

}  // namespace umov::amg
