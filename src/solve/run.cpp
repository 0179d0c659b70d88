#include "solve/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/error.hpp"
#include "core/timer.hpp"
#include "linalg/ranks/solver_team.hpp"
#include "linalg/sparse/matrix_market.hpp"
#include "linalg/sparse/wide.hpp"
#include "run/ranks.hpp"
#include "run/version.hpp"

namespace umov::solve {

namespace {

/// Ones, or numbers in (-1, 1) that are the same every time.
std::vector<double> known_solution(int n, bool random) {
  std::vector<double> x(n, 1.0);
  std::uint64_t state = 1;
  for (double& v : x)
    if (random) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      v = double(std::int64_t(state >> 11)) / 4503599627370496.0 - 1;
    }
  return x;
}

/// b = A x; throws where a double does not hold it.
std::vector<double> right_side_of(const sparse::HostCsr& a, const std::vector<double>& x) {
  const auto wide = sparse::times_wide(a, x);
  std::vector<double> b(wide.begin(), wide.end());
  for (const double v : b)
    if (!std::isfinite(v))
      throw BadInput("b = A x is beyond what a double holds for the known x; scale the matrix");
  return b;
}

/// Reads, solves and measures, on the first rank.
Outcome solved(const Simulation& sim, const amg::SolveRequest& request, const System* given) {
  Outcome out;
  const Stopwatch timer;
  out.system = given ? *given : read_system(sim);
  out.read_seconds = timer.seconds();
  out.solution = amg::solve(out.system.matrix, out.system.right_side, request);
  if (const auto& known = out.system.known; !known.empty())
    out.error = double(sparse::norm(sparse::difference(out.solution.x, known)) / sparse::norm(known));
  return out;
}

}  // namespace

System read_system(const Simulation& sim) {
  System out;
  auto& a = out.matrix = sparse::read_matrix_counting(sim.matrix, out.repeated);
  amg::check_system(a, sim.matrix);
  if (sim.right_side.empty()) {
    out.known = known_solution(a.rows, sim.known == "random");
    out.right_side = right_side_of(a, out.known);
  } else {
    out.right_side = sparse::read_vector(sim.right_side);
    if (int(out.right_side.size()) != a.rows)
      throw BadInput(fmt::format("{}: {} elements, but the matrix has {} rows; give one per row",
                                 sim.right_side, out.right_side.size(), a.rows));
  }
  return out;
}

Outcome run(const Simulation& sim, const run::Machine& machine, comm::Communicator& comm,
            const System* given) {
  amg::SolveRequest request = sim.solver;
  request.backend = machine.backend, request.device = machine.gpu(), request.threads = machine.threads;
  if (comm.size() == 1) return solved(sim, request, given);
  ranks::SolverTeam team(comm, request);
  Outcome out;
  if (comm.first()) {
    request.team = &team;
    out = solved(sim, request, given);
    team.dismiss();
  } else {
    team.follow();
  }
  out.ranks =
      run::describe_ranks(comm, team.device(), team.seconds(), double(team.peak_bytes()), team.before());
  return out;
}

results::Result to_result(const Outcome& o) {
  const auto& s = o.solution;
  results::Result r;
  r.attributes = {{"program", "umov solve"},
                  {"version", umov::run::version()},
                  {"device", s.device},
                  {"converged", s.info.converged ? "yes" : "no: " + s.info.why_not}};
  if (!s.note.empty()) r.attributes.emplace_back("note", s.note);
  const auto add = [&](const char* name, const char* text, double value) {
    if (std::isfinite(value)) r.add(name, "1", text, value);
  };
  add("unknowns", "rows of A", double(o.system.matrix.rows));
  add("entries", "entries of A", double(o.system.matrix.column.size()));
  add("iterations", "of the conjugate gradients", double(s.info.iterations));
  add("residual", "|b - A x| / |b|, formed in extended precision", s.info.residual);
  add("error_in_energy", "estimate of |x - y| / |y| in the norm of A, y the exact solution", s.error);
  add("error_in_length", "the same of their lengths", s.error_of_length);
  add("error_to_known", "|x - x_known| / |x_known|", o.error);
  if (s.condition > 0)
    add("condition", "estimate of the condition number of A with scaled rows", s.condition);
  add("operator_complexity", "entries of all levels over those of the first", s.setup.operator_complexity);
  add("grid_complexity", "unknowns of all levels over those of the first", s.setup.grid_complexity);
  r.add("x", "1", "the solution", s.x);
  r.add("history", "1", "|r| / |b| of each iteration, the start first", s.history);
  r.add("run/seconds_setup", "s", "time of the set-up", s.setup.seconds);
  r.add("run/seconds_solve", "s", "time of the iterations", s.info.seconds);
  r.add("run/memory", "byte", "memory of the (fullest) device", double(s.bytes));
  return r;
}

}  // namespace umov::solve
