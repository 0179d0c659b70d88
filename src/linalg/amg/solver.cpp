// Choosing the backend of a linear solver, the checks of a system, and the solve that falls back to double.
#include "linalg/amg/solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "backend/module.hpp"
#include "core/error.hpp"

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
      if (std::abs(a.value[next[i]]) > 1e-10 * std::sqrt(diagonal[i] * diagonal[a.column[next[i]]]))
        refuse(i, a.column[next[i]], a.value[next[i]], 0);
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      const int j = a.column[k];
      if (j <= i) continue;
      const double least = 1e-10 * std::sqrt(diagonal[i] * diagonal[j]);
      int& l = next[j];
      for (; l < a.start[j + 1] && a.column[l] < i; ++l)
        if (std::abs(a.value[l]) > 1e-10 * std::sqrt(diagonal[j] * diagonal[a.column[l]]))
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

Solution solve(const sparse::HostCsr& a, const std::vector<double>& b, const SolveRequest& request) {
  check_system(a, "matrix");
  if (int(b.size()) != a.rows)
    throw BadInput(fmt::format("the right-hand side has {} elements, the matrix {} rows; give one per row",
                               b.size(), a.rows));
  for (std::size_t i = 0; i < b.size(); ++i)
    if (!std::isfinite(b[i]))
      throw BadInput(fmt::format("right-hand side: element {} is {}; give finite numbers", i + 1, b[i]));
  SolveRequest now = request;
  Solution s;
  for (;;) {
    const auto solver = make_linear_solver(now);
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

}  // namespace umov::amg
