// One system from the checks to a solution that is measured: double after single precision, least residuals
// of singular systems, corrections in extended precision, and words for what failed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "linalg/amg/diagnosis.hpp"
#include "linalg/amg/null_space.hpp"
#include "linalg/amg/scaling.hpp"
#include "linalg/amg/solver.hpp"

namespace umov::amg {
namespace {

using sparse::HostCsr;
using sparse::Wide;

std::vector<double> rounded(const Wide& x) { return {x.begin(), x.end()}; }

long double relative_residual(const HostCsr& a, const std::vector<double>& x, const Wide& b,
                              long double whole) {
  return sparse::norm(sparse::difference(b, sparse::times_wide(a, x))) / whole;
}

/// One way to solve a system: a scaling, a solver, what came out.
class Attempt {
 public:
  Attempt(const HostCsr& a, const Wide& b, const SolveRequest& request, int sign, Scaling::Rows rows)
      : a_(a), b_(b), request_(request), scaling_(a, sign, rows), whole_(sparse::norm(b)) {}

  Solution run() {
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
    if (!s_.info.converged && !near_floor()) keep_the_best();
    return std::move(s_);
  }
  const Scaling& scaling() const { return scaling_; }
  bool inconsistent() const { return inconsistent_; }

  /// Estimates of condition and sensitivity, which enter the accuracy. Of a matrix that is found singular by
  /// then x becomes the shortest solution, or the note says that it is not.
  void measure(Solution& s) {
    s_ = std::move(s);
    estimate();
    s = std::move(s_);
  }
  /// What of the error in length is the solve's, not that of the digits of A and b; 0 where not measured.
  double unsolved() const { return unsolved_; }
  /// The row whose residual is largest beside the magnitudes of its terms, and that ratio: what norms do not
  /// see where rows differ by many decades.
  std::pair<double, int> worst_row(const std::vector<double>& x) const {
    std::pair<double, int> worst{0, 0};
    for (int i = 0; i < a_.rows; ++i) {
      long double r = b_[i], size = std::abs(b_[i]);
      for (int k = a_.start[i]; k < a_.start[i + 1]; ++k) {
        const long double v = static_cast<long double>(a_.value[k]) * x[a_.column[k]];
        r -= v, size += std::abs(v);
      }
      if (size > 0) worst = std::max(worst, {double(std::abs(r) / size), i});
    }
    return worst;
  }
  /// About the least residual that an x in double can have: its rounding times |A|.
  double floor_of(const std::vector<double>& x) const {
    Wide size(a_.rows, 0.0L);
    for (int i = 0; i < a_.rows; ++i)
      for (int k = a_.start[i]; k < a_.start[i + 1]; ++k) {
        const long double v = static_cast<long double>(a_.value[k]) * x[a_.column[k]];
        size[i] += v * v;  // roundings of the elements are independent
      }
    long double sum = 0;
    for (const long double v : size) sum += v;
    return whole_ > 0 ? double(0.3L * 0x1p-52L * std::sqrt(sum) / whole_) : 0;
  }

 private:
  void estimate() {
    constexpr double to_digits = 1e14, to_rounding = 1e-15, apart = 1e5;
    Softest soft = seek_softest();
    if (s_.info.converged && soft.cancelled < to_rounding && whole_ > 0 && !null_sought_ &&
        find_null_space() && shorten()) {
      correct(b_, whole_);
      soft = seek_softest();
    }
    if (soft.condition == 0) return;
    s_.condition = soft.condition;
    if (s_.info.converged && soft.condition > to_digits && !(null_sought_ && !null_.empty() && !all_found_))
      add_note(fmt::format(
          "the matrix is singular to the digits of its entries (condition number about {:.0e}): x is "
          "one of many solutions, and not the shortest",
          soft.condition));
    const long double length = sparse::norm(s_.x);
    if (!(length > 0) || soft.cancelled < to_rounding) return;
    Wide change(a_.rows, 0.0L);
    for (int i = 0; i < a_.rows; ++i) {
      for (int k = a_.start[i]; k < a_.start[i + 1]; ++k)
        change[i] += std::abs(static_cast<long double>(a_.value[k]) * s_.x[a_.column[k]]);
      change[i] *= 0x1p-53L;
    }
    // along the softest vector, which no residual of a solve sees: by e = v (v . r) / (v . A v)
    const Wide r = sparse::difference(b_, sparse::times_wide(a_, s_.x));
    const Wide& v = soft.vector;
    // that vector is one eigenvector only where its eigenvalue lies apart
    const long double moves =
        soft.condition < apart
            ? 0
            : sparse::norm(v) / std::abs(sparse::dot_wide(v, sparse::times_wide(a_, v))) / length;
    long double square = 0;
    for (std::size_t i = 0; i < v.size(); ++i) square += v[i] * change[i] * (v[i] * change[i]);
    const double along = double(std::sqrt(square) * moves);
    std::uint64_t state = 11;
    const auto sign = random_vector(a_.rows, state);
    for (int i = 0; i < a_.rows; ++i) change[i] *= sign[i];
    int exponent = 0;
    auto right = scaling_.right_side(change, exponent);
    amg::project_out(null_in_scaled_, right);
    std::vector<double> x(a_.rows, 0.0);
    solver_->aim(1e-2, request_.max_iterations);
    if (solver_->solve(right, x).residual < 0.1)
      s_.sensitivity = std::max(double(sparse::norm(scaling_.solution(x, exponent)) / length), along);
    if (!s_.info.converged || std::isnan(s_.error_of_length)) return;
    unsolved_ = std::max(s_.error_of_length, double(std::abs(sparse::dot_wide(v, r)) * moves));
    s_.error_of_length = std::max(unsolved_, s_.sensitivity);
  }
  Softest seek_softest() {
    return softest(scaling_, *solver_, null_in_scaled_, s_.info.converged, request_.max_iterations);
  }
  /// The shortest x, unless that costs the residual.
  bool shorten() {
    const auto before = s_.x;
    take_shortest(true);
    const double residual = double(relative_residual(a_, s_.x, b_, whole_));
    if (!(residual <= std::max(s_.info.residual, request_.tolerance))) {
      s_.x = before;
      null_.clear(), null_in_scaled_.clear();
      return false;
    }
    s_.info.residual = residual;
    note_singular();
    return true;
  }
  void add_note(const std::string& text) { s_.note += (s_.note.empty() ? "" : "; ") + text; }
  void note_singular() {
    add_note(null_space() + (all_found_
                                 ? ": of its many solutions x is the shortest"
                                 : ": there are more, and x is one of many solutions, not the shortest"));
  }
  bool near_floor() const { return s_.info.residual < 10 * floor_of(s_.x); }

  /// From x = 0, with a preconditioner in double if the one in single precision fails.
  void plain() {
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
      s_.note = note;
      accept(x, exponent);
      if (s_.info.converged || !request_.options.single_precision) return;
      // what rounding to single precision may have spoilt
      note = "in single precision the preconditioner failed (" + s_.info.why_not + "); repeated in double";
      request_.options.single_precision = false;
    }
  }

  /// Takes x of the scaled system; says where a double does not hold it.
  void accept(const std::vector<double>& x, int exponent) {
    const Wide wide = scaling_.solution(x, exponent);
    s_.x = rounded(wide);
    long double lost = 0, all = 0;
    bool beyond = false;
    for (std::size_t i = 0; i < wide.size(); ++i) {
      beyond = beyond || std::abs(s_.x[i]) > std::numeric_limits<double>::max();
      const long double f = scaling_.factor(int(i)), d = (s_.x[i] - wide[i]) / f;
      lost += d * d, all += wide[i] / f * (wide[i] / f);
    }
    if (!beyond && lost <= request_.tolerance * request_.tolerance * all) return;
    s_.info.converged = false;
    s_.info.why_not =
        fmt::format("the solution is {} what a double holds; scale the matrix or the right-hand side",
                    beyond ? "beyond" : "below");
  }

  /// Vectors that A maps to zero, and those of the scaled matrix; sought once.
  bool find_null_space() {
    if (!null_sought_) {
      null_in_scaled_ = null_vectors(scaling_.matrix(), *solver_, request_.max_iterations, &all_found_);
      null_ = orthonormal(null_in_scaled_);
    }
    null_sought_ = true;
    return !null_.empty();
  }
  std::string null_space() const {
    return fmt::format("the matrix is singular ({} independent vector{} found with A v = 0)", null_.size(),
                       null_.size() == 1 ? "" : "s");
  }

  /// Where the matrix is singular: without the part of b that no A x reaches.
  bool solve_singular() {
    if (!find_null_space()) return false;
    Wide reached = b_;
    const long double part = project_out(null_, reached) / whole_, size = sparse::norm(reached);
    std::vector<double> x(a_.rows, 0.0);
    SolveInfo info;
    int exponent = 0;
    if (size > 1e-15L * whole_) {
      auto right = scaling_.right_side(reached, exponent);
      amg::project_out(null_in_scaled_, right);
      solver_->aim(request_.tolerance, request_.max_iterations);
      info = solver_->solve(right, x);
      s_.history = solver_->history();
      if (!(info.residual < 1e-3)) return false;
    }
    s_.x = rounded(scaling_.solution(x, exponent));
    s_.info = info;
    s_.note.clear();  // no matter of precision
    if (size > 1e-15L * whole_) correct(reached, size);
    take_shortest(inconsistent_ = part > 0.1 * request_.tolerance);
    s_.info.residual = double(relative_residual(a_, s_.x, b_, whole_));
    if (!inconsistent_) return true;
    s_.info.converged = false;
    s_.info.why_not = fmt::format(
        "{} and the system inconsistent: {:.3g} of the length of b lies along {}, where no A x reaches; {}",
        null_space(), double(part), null_.size() == 1 ? "it" : "them",
        all_found_ ? "x has the least residual, and is the shortest that has it"
                   : "there are more such vectors, and x has not the least residual nor is it the shortest");
    return true;
  }

  void take_shortest(bool silent = false) {
    Wide x(s_.x.begin(), s_.x.end());
    project_out(null_, x);
    s_.x = rounded(x);
    if (silent) return;
    note_singular();
  }

  /// Vectors that A maps to zero from those of the scaled matrix.
  std::vector<Wide> orthonormal(const std::vector<std::vector<double>>& in_scaled) const {
    std::vector<Wide> out;
    for (const auto& v : in_scaled) {
      Wide w = scaling_.solution(v, 0);
      for (int twice = 0; twice < 2; ++twice) project_out(out, w);
      const long double size = sparse::norm(w);
      for (long double& x : w) x /= size;
      out.push_back(std::move(w));
    }
    return out;
  }
  static long double project_out(const std::vector<Wide>& vectors, Wide& b) {
    long double square = 0;
    for (const Wide& v : vectors) {
      const long double part = sparse::dot_wide(v, b);
      for (std::size_t i = 0; i < b.size(); ++i) b[i] -= part * v[i];
      square += part * part;
    }
    return std::sqrt(square);
  }

  /// Solves A e = b - A x, the residual in extended precision: e is about the error of x. Adds it to x until
  /// residual and error are below the tolerance, or fall no more.
  void correct(const Wide& b, long double whole) {
    if (!(whole > 0)) return;
    constexpr int most = 8;
    const double tolerance = request_.tolerance;
    double before = std::numeric_limits<double>::infinity();
    for (int round = 0; round < most; ++round) {
      const Wide r = sparse::difference(b, sparse::times_wide(a_, s_.x));
      const double residual = double(sparse::norm(r) / whole);
      const bool was_converged = s_.info.converged;
      if (round == 0 || residual <= tolerance) s_.info.converged = residual <= tolerance;
      if (s_.info.converged) s_.info.why_not.clear();
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

  /// A solve that went astray has been nearer: once more, up to there.
  void keep_the_best() {
    const auto best = std::min_element(s_.history.begin(), s_.history.end());
    if (best == s_.history.end() || !(*best < 0.9 * s_.info.residual || !std::isfinite(s_.info.residual)))
      return;
    int exponent = 0;
    const auto right = scaling_.right_side(b_, exponent);
    std::vector<double> x(a_.rows, 0.0);
    SolveInfo info;
    info.residual = 1;
    const int iterations = int(best - s_.history.begin());
    if (iterations > 0) {
      solver_->aim(request_.tolerance, iterations);
      info = solver_->solve(right, x);
    }
    if (!(info.residual < s_.info.residual) && std::isfinite(s_.info.residual)) return;
    s_.x = rounded(scaling_.solution(x, exponent));
    s_.info.residual = info.residual;
    s_.info.why_not += fmt::format("; x is that of iteration {}, the best", iterations);
  }

  const HostCsr& a_;
  const Wide& b_;
  SolveRequest request_;
  Scaling scaling_;
  long double whole_;
  std::unique_ptr<LinearSolver> solver_;
  Solution s_;
  double unsolved_ = 0;
  bool inconsistent_ = false, null_sought_ = false, all_found_ = true;
  std::vector<std::vector<double>> null_in_scaled_;
  std::vector<Wide> null_;
};

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
  } else if (s.info.converged && s.sensitivity > worthless) {
    s.note += std::string(s.note.empty() ? "" : "; ") +
              "the digits of A and b determine little of x (see the accuracy)";
  }
  const auto say = [&s](const char* what) { s.note = s.note.empty() ? what : what + ("; " + s.note); };
  if (scaled) say("rows and columns are scaled to unit diagonal");
  if (sign < 0) say("the diagonal is negative: -A x = -b is solved");
  return s;
}

}  // namespace umov::amg
