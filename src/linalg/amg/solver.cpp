// Choosing the backend of a linear solver, the checks of a system, and the solve that falls back to double.
#include "linalg/amg/solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "backend/module.hpp"
#include "core/error.hpp"
#include "linalg/amg/null_space.hpp"

namespace umov::amg {

std::unique_ptr<LinearSolver> make_linear_solver(const SolveRequest& request) {
  if (request.backend == "serial") return make_serial_solver(request);
  if (request.backend == "cpu") return make_cpu_solver(request);
  if (request.backend != "cuda" && request.backend != "auto")
    throw BadInput("unknown backend '" + request.backend + "' (known: auto, serial, cpu, cuda)");
  std::string why_not;
  if (const auto* factory = static_cast<const SolverFactory*>(backend::cuda_factory("solve", why_not)))
    return factory->make(request);
  if (request.backend == "auto") return make_cpu_solver(request);
  throw MachineFailure("the cuda backend cannot be used here (" + why_not + "); use --cpu");
}

namespace {

/// Entries are named as files and textbooks count them, from 1.
std::string entry(int i, int j) { return fmt::format("({}, {})", i + 1, j + 1); }

void check_rows(const sparse::HostCsr& a, const std::string& what) {
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      const int j = a.column[k];
      if (j < 0 || j >= a.columns || (k > a.start[i] && j <= a.column[k - 1]))
        throw BadInput(
            fmt::format("{}: columns of row {} are out of order or range (each row lists its columns "
                        "once, ascending); sort them",
                        what, i + 1));
      if (!std::isfinite(a.value[k]))
        throw BadInput(fmt::format("{}: entry {} is {}; give finite numbers", what, entry(i, j), a.value[k]));
    }
}

std::vector<double> positive_diagonal(const sparse::HostCsr& a, const std::string& what) {
  std::vector<double> diagonal(a.rows, 0.0);
  for (int i = 0; i < a.rows; ++i) {
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      if (a.column[k] == i) diagonal[i] = a.value[k];
    if (!(diagonal[i] > 0))
      throw BadInput(
          fmt::format("{}: diagonal entry {} is {} (a positive definite matrix has positive ones); "
                      "{}",
                      what, entry(i, i), diagonal[i],
                      diagonal[i] < 0 ? "change the matrix's sign, or use a solver for indefinite "
                                        "systems"
                                      : "leave out unknowns without an equation"));
  }
  return diagonal;
}

void check_symmetry(const sparse::HostCsr& a, const std::vector<double>& diagonal, const std::string& what) {
  // what stands above the diagonal is met again below it, row by row in ascending order
  std::vector<int> next(a.start.begin(), a.start.end() - 1);
  const auto refuse = [&](int i, int j, double v, double w) {
    throw BadInput(
        fmt::format("{}: not symmetric (entry {} is {}, entry {} is {}); conjugate gradients need "
                    "a symmetric matrix",
                    what, entry(i, j), v, entry(j, i), w));
  };
  for (int i = 0; i < a.rows; ++i) {
    // entries (i, j < i) that no row j asked for
    for (; next[i] < a.start[i + 1] && a.column[next[i]] < i; ++next[i])
      if (std::abs(a.value[next[i]]) >
          1e-10 * std::sqrt(diagonal[i]) * std::sqrt(diagonal[a.column[next[i]]]))
        refuse(i, a.column[next[i]], a.value[next[i]], 0);
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      const int j = a.column[k];
      if (j <= i) continue;
      const double least = 1e-10 * std::sqrt(diagonal[i]) * std::sqrt(diagonal[j]);
      int& l = next[j];
      for (; l < a.start[j + 1] && a.column[l] < i; ++l)
        if (std::abs(a.value[l]) > 1e-10 * std::sqrt(diagonal[j]) * std::sqrt(diagonal[a.column[l]]))
          refuse(j, a.column[l], a.value[l], 0);
      const double other = l < a.start[j + 1] && a.column[l] == i ? a.value[l++] : 0;
      if (std::abs(other - a.value[k]) > least) refuse(i, j, a.value[k], other);
    }
  }
}

}  // namespace

void check_system(const sparse::HostCsr& a, const std::string& what) {
  if (a.rows != a.columns)
    throw BadInput(
        fmt::format("{}: {} rows but {} columns (only square systems have a solver here); solve the "
                    "normal equations of a least-squares problem",
                    what, a.rows, a.columns));
  if (a.rows == 0) throw BadInput(fmt::format("{}: no rows (nothing to solve); check the file", what));
  check_rows(a, what);
  check_symmetry(a, positive_diagonal(a, what), what);
}

namespace {

/// The power of two by which the largest magnitude comes to lie in [0.5, 1): sums of squares of what is below
/// 1e-154 or above 1e154 would be zero or infinite. 0 for zeros, and where no more than 1e50 is at stake:
/// results stay the same to the bit there.
int exponent_of(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v));
  if (most == 0 || (most > 1e-50 && most < 1e50)) return 0;
  int exponent = 0;
  std::frexp(most, &exponent);
  return exponent;
}

void scale(std::vector<double>& values, int exponent) {
  if (exponent == 0) return;
  for (double& v : values) v = std::ldexp(v, exponent);
}

/// False where that loses more than `tolerance` of the vector.
bool scale_back(std::vector<double>& x, int exponent, double tolerance) {
  if (exponent == 0) return true;
  const std::vector<double> exact = x;
  scale(x, exponent);
  double lost = 0, whole = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double d = std::ldexp(x[i], -exponent) - exact[i];
    lost += d * d;
    whole += exact[i] * exact[i];
  }
  return lost <= tolerance * tolerance * whole;
}

/// From x = 0, with a preconditioner in double if the one in single precision fails.
Solution solve_plainly(const sparse::HostCsr& a, const std::vector<double>& b, SolveRequest now,
                       std::unique_ptr<LinearSolver>& solver) {
  Solution s;
  for (;;) {
    solver = make_linear_solver(now);
    solver->setup(a);
    s.x.assign(a.rows, 0.0);
    s.info = solver->solve(b, s.x);
    s.setup = solver->setup_info();
    s.bytes = solver->bytes();
    s.device = solver->device();
    s.history = solver->history();
    if (s.info.converged || !now.options.single_precision) return s;
    // what rounding to single precision may have spoilt
    s.note = "in single precision the preconditioner failed (" + s.info.why_not + "); repeated in double";
    now.options.single_precision = false;
  }
}

/// Where the matrix is singular and b has a part that no A x reaches, the x of the least residual; false
/// elsewhere.
bool solve_singular(const sparse::HostCsr& a, const std::vector<double>& b, LinearSolver& solver,
                    Solution& s) {
  const auto vectors = null_vectors(a, solver);
  std::vector<double> reached = b, x(b.size(), 0.0);
  double square = 0;
  for (const double v : b) square += v * v;
  const double part = project_out(vectors, reached);
  if (vectors.empty() || part == 0) return false;
  const auto info = solver.solve(reached, x);
  if (!(info.residual < 1e-3)) return false;
  s.x = std::move(x);
  s.info.iterations = info.iterations;
  s.info.converged = false;
  s.info.residual = part / std::sqrt(square);
  s.info.why_not = fmt::format(
      "the matrix is singular ({} independent vector{} found with A v = 0), and {:.3g} of the length of b "
      "lies "
      "along {}, where no A x reaches; x has the least residual",
      vectors.size(), vectors.size() == 1 ? "" : "s", s.info.residual, vectors.size() == 1 ? "it" : "them");
  return true;
}

/// A solve that went astray has been nearer: once more, up to there.
void keep_the_best(const sparse::HostCsr& a, const std::vector<double>& b, SolveRequest request,
                   Solution& s) {
  const auto best = std::min_element(s.history.begin(), s.history.end());
  if (best == s.history.end() || !(*best < 0.9 * s.info.residual || !std::isfinite(s.info.residual))) return;
  std::vector<double> x(b.size(), 0.0);
  SolveInfo info;
  info.residual = 1;
  request.max_iterations = int(best - s.history.begin());
  if (request.max_iterations > 0) {
    const auto solver = make_linear_solver(request);
    solver->setup(a);
    info = solver->solve(b, x);
  }
  if (!(info.residual < s.info.residual) && std::isfinite(s.info.residual)) return;
  s.x = std::move(x);
  s.info.residual = info.residual;
  s.info.why_not += fmt::format("; x is that of iteration {}, the best", request.max_iterations);
}

}  // namespace

Solution solve(const sparse::HostCsr& a, const std::vector<double>& b, const SolveRequest& request) {
  check_system(a, "matrix");
  if (int(b.size()) != a.rows)
    throw BadInput(fmt::format("the right-hand side has {} elements, the matrix {} rows; give one per row",
                               b.size(), a.rows));
  for (std::size_t i = 0; i < b.size(); ++i)
    if (!std::isfinite(b[i]))
      throw BadInput(fmt::format("right-hand side: element {} is {}; give finite numbers", i + 1, b[i]));
  const int of_a = exponent_of(a.value), of_b = exponent_of(b);
  sparse::HostCsr scaled;
  if (of_a != 0) {
    scaled = a;
    scale(scaled.value, -of_a);
  }
  const sparse::HostCsr& matrix = of_a != 0 ? scaled : a;
  std::vector<double> right = b;
  scale(right, -of_b);
  std::unique_ptr<LinearSolver> solver;
  Solution s = solve_plainly(matrix, right, request, solver);
  if (!s.info.converged && !solve_singular(matrix, right, *solver, s)) {
    SolveRequest again = request;
    again.options.single_precision = false;
    solver.reset();
    keep_the_best(matrix, right, again, s);
  }
  if (!scale_back(s.x, of_b - of_a, request.tolerance)) {
    s.info.converged = false;
    s.info.why_not =
        fmt::format("the solution is {} what a double holds; scale the matrix or the right-hand side",
                    of_b > of_a ? "beyond" : "below");
  }
  return s;
}

}  // namespace umov::amg
