// Solving a symmetric positive definite system from C++: one call, or one matrix for many right-hand sides.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "backend/choose_engine.hpp"
#include "linalg/amg/options.hpp"
#include "linalg/sparse/csr.hpp"

namespace umov::comm {
class Communicator;
}
namespace umov::ranks {
struct RankedColumns;
class SolverTeam;
}  // namespace umov::ranks

namespace umov::amg {

/// One of several ranks: its solver has the rank's own rows, with these columns, and its own elements of
/// vectors. Every member is called by every rank.
struct RankPlace {
  comm::Communicator* comm = nullptr;
  const ranks::RankedColumns* columns = nullptr;
};

struct SolveRequest {
  std::string backend = "auto";  ///< auto, serial, cpu, cuda
  int threads = 0;               ///< cpu: 0 = all
  int device = 0;                ///< cuda
  Options options;
  double tolerance = 1e-12;  ///< |b - A x| / |b|
  int max_iterations = 500;
  /// The ranks that solve together (linalg/ranks/solver_team.hpp), where this is the first of them; null:
  /// this process alone.
  ranks::SolverTeam* team = nullptr;
  RankPlace place;  ///< what a team says to the solver of each rank
};

/// Conjugate gradients with one V-cycle of smoothed aggregation on one device, or on those of a team.
/// Matrices have ascending columns and what check_system asks for.
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  virtual void setup(const sparse::HostCsr&) = 0;
  /// The same pattern with other values.
  virtual void refresh(const sparse::HostCsr&, Refresh) = 0;
  /// x holds the start and gets the solution. Both have as many elements as the matrix has rows.
  virtual SolveInfo solve(const std::vector<double>& b, std::vector<double>& x) = 0;
  /// Where the next solves end, instead of as the request said.
  virtual void aim(double tolerance, int max_iterations) = 0;
  virtual const SetupInfo& setup_info() const = 0;
  virtual std::size_t bytes() const = 0;  ///< held on the (fullest) device: matrix, levels, vectors
  virtual std::string device() const = 0;
  /// |r| / |b| after each iteration of the last solve, the start first, as the recurrence had it.
  virtual std::vector<double> history() const = 0;
  /// How many ranks each level lies with; empty: all with one.
  virtual std::vector<int> ranks_of_levels() const = 0;
};

/// Throws BadInput (unknown backend), MachineFailure (no such device, out of memory).
std::unique_ptr<LinearSolver> make_linear_solver(const SolveRequest&);

/// What a backend module answers when asked for the family "solve".
using SolverFactory = backend::EngineFactory<LinearSolver, SolveRequest>;
std::unique_ptr<LinearSolver> make_serial_solver(const SolveRequest&);
std::unique_ptr<LinearSolver> make_cpu_solver(const SolveRequest&);
/// The same with SolveRequest::place. "auto": the processor.
std::unique_ptr<LinearSolver> make_rank_solver(const SolveRequest&);
std::unique_ptr<LinearSolver> make_rank_serial_solver(const SolveRequest&);
std::unique_ptr<LinearSolver> make_rank_cpu_solver(const SolveRequest&);

/// 1, or -1 where the whole diagonal is negative: -A is for the solver then. Throws BadInput, naming `what`
/// and the entry: not square, a column out of order or range, NaN or infinity, a diagonal that is missing or
/// has both signs, a_ij and a_ji that differ by more than 1e-10 of sqrt(a_ii a_jj), a_ij beyond sqrt(a_ii
/// a_jj).
int check_system(const sparse::HostCsr&, const std::string& what);

struct Solution {
  std::vector<double> x;
  SolveInfo info;  ///< the residual is formed in extended precision
  SetupInfo setup;
  std::size_t bytes = 0;
  std::string device;
  std::vector<double> history;
  std::vector<int> ranks_of_levels;  ///< empty: one rank
  std::string note;                  ///< what was done differently from what was asked, and why
  /// Estimate of |x - y| / |y| in the norm of A, y being the exact solution: what one more correction with
  /// the residual in extended precision changes. nan where there is none.
  double error = std::numeric_limits<double>::quiet_NaN();
  /// The same as lengths.
  double error_of_length = std::numeric_limits<double>::quiet_NaN();
  /// Estimate of the condition number of A scaled to unit diagonal; 0 where all went well and none was made.
  double condition = 0;
  /// With it: by how much of its length rounding of A's and b's entries to double moves x.
  double sensitivity = 0;
  /// The residual reached its tolerance, and still x means little: no solve knows more of it.
  bool undetermined() const { return info.converged && sensitivity > 1e-2; }
};

/// Checks, sets up and solves from x = 0; negative definite systems with both signs changed. Rows are scaled
/// where that fits multigrid better (Scaling). A solve that fails with the preconditioner in single precision
/// is repeated in double; then corrections with the residual in extended precision follow until residual and
/// estimated error are below the tolerance or fall no more. Throws as check_system and make_linear_solver do;
/// not converging is no exception.
Solution solve(const sparse::HostCsr& a, const std::vector<double>& b, const SolveRequest& = {});

}  // namespace umov::amg
