// Command line of `umov solve`: a symmetric positive definite system by multigrid and conjugate gradients.
#include "commands/solve.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "cases/device_parameter.hpp"
#include "cases/rank_parameters.hpp"
#include "command/on_ranks.hpp"
#include "command/spelling.hpp"
#include "core/console.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "linalg/sparse/matrix_market.hpp"
#include "solve/run.hpp"

namespace umov::commands {
namespace {

struct Request : umov::solve::Simulation, run::Machine {
  std::string output, smoother = "chebyshev", precision = "single", gpus;
  bool cpu = false, serial = false, gpu = false, history = false;
};

void declare(CLI::App& app, Request& r) {
  auto& s = r.solver;
  app.add_option("A", r.matrix, "matrix: Matrix Market, coordinate, real symmetric or general")->required();
  app.add_option("b", r.right_side, "right-hand side: Matrix Market, one column; without it see --known");
  app.add_option("--known", r.known, "without b: b = A x for x = ones or random; the error of x is printed")
      ->capture_default_str();
  app.add_option("-o,--output", r.output, "write the solution to this file (Matrix Market)");
  app.add_option("--tol", s.tolerance, "end at this |b - A x| / |b|")->capture_default_str();
  app.add_option("--max-iter", s.max_iterations, "most iterations")->capture_default_str();
  app.add_option("--theta", s.options.strength,
                 "a_ij couples where a_ij^2 > theta^2 a_ii a_jj; half per level. Anisotropy: try 0.08")
      ->capture_default_str();
  app.add_option("--smoother", r.smoother, "chebyshev or jacobi")->capture_default_str();
  app.add_option("--degree", s.options.degree, "of the polynomial; Jacobi: sweeps")->capture_default_str();
  app.add_option("--ratio", s.options.eigenvalue_ratio,
                 "Chebyshev: largest over smallest eigenvalue to damp; 0 = default")
      ->capture_default_str();
  app.add_option("--coarsest", s.options.coarsest, "unknowns at which coarsening ends; 0 = default")
      ->capture_default_str();
  app.add_option("--precision", r.precision, "of the preconditioner: single or double")
      ->capture_default_str();
  app.add_option("--backend", r.backend, "auto, serial, cpu or cuda")->capture_default_str();
  app.add_flag("--cpu", r.cpu, "compute on the processor");
  app.add_flag("--serial", r.serial, "compute with plain loops, one thread");
  app.add_flag("--gpu", r.gpu, "compute on the GPU");
  app.add_option("--device", r.device, "number of the GPU");
  app.add_option("--threads", r.threads, "threads of the cpu backend; 0 = all")->capture_default_str();
  app.add_option("--gpus", r.gpus, "GPUs of this machine that solve it together: a number, or all");
  app.add_option(
         "--ranks", r.ranks.ranks,
         "parts of this process that solve it together on processors, as those of mpirun would; 0: one")
      ->capture_default_str();
  app.add_flag("--history", r.history, "print the residual of every iteration");
}

template <class N>
void require(bool good, const char* option, N value, const char* what) {
  if (!good) throw BadInput(fmt::format("{} {}: {}", option, value, what));
}

int gpus_of(const Request& r) {
  if (r.device >= 0) throw BadInput("--gpus with --device (a number of GPUs and one of them); give one");
  try {
    return cases::gpu_count().read(parse_scalar(r.gpus));
  } catch (const ValueError& e) {
    throw BadInput(fmt::format("--gpus {}: {}; give a number of GPUs, or all", r.gpus, e.what()));
  }
}

void check(Request& r) {
  auto& s = r.solver;
  require(s.tolerance > 0 && s.tolerance < 1, "--tol", s.tolerance, "give a number between 0 and 1");
  require(s.max_iterations > 0, "--max-iter", s.max_iterations, "give at least 1");
  require(s.options.strength >= 0 && s.options.strength < 1, "--theta", s.options.strength,
          "give a number in [0, 1)");
  require(s.options.degree >= 1 && s.options.degree <= 20, "--degree", s.options.degree, "give 1 to 20");
  require(s.options.eigenvalue_ratio == 0 || s.options.eigenvalue_ratio > 1, "--ratio",
          s.options.eigenvalue_ratio, "give more than 1, or 0 for the default");
  require(s.options.coarsest >= 0, "--coarsest", s.options.coarsest, "give at least 1, or 0 for the default");
  require(r.threads >= 0 && r.threads <= cases::most_threads, "--threads", r.threads,
          "give 1 to 1024, or 0 for all");
  require(r.ranks.ranks >= 0 && r.ranks.ranks <= cases::most_ranks, "--ranks", r.ranks.ranks,
          "give 1 to 1024, or 0 for one");
  require(r.smoother == "chebyshev" || r.smoother == "jacobi", "--smoother", r.smoother,
          "not known; use chebyshev or jacobi");
  require(r.precision == "single" || r.precision == "double", "--precision", r.precision,
          "not known; use single or double");
  require(r.known == "ones" || r.known == "random", "--known", r.known, "not known; use ones or random");
  if (r.cpu + r.serial + (r.gpu || r.device >= 0) > 1)
    throw BadInput("more than one of --cpu, --serial, --gpu and --device; give one");
  if (r.backend != "auto" && (r.cpu || r.serial || r.gpu || r.device >= 0))
    throw BadInput("--backend with --cpu, --serial, --gpu or --device; give one");
  s.options.smoother = r.smoother == "jacobi" ? amg::Smoother::jacobi : amg::Smoother::chebyshev;
  s.options.single_precision = r.precision == "single";
  if (r.cpu) r.backend = "cpu";
  if (r.serial) r.backend = "serial";
  if (r.gpu || r.device >= 0) r.backend = "cuda";
  if (!r.gpus.empty()) r.ranks.gpus = gpus_of(r);
}

/// What kept the solve from converging, and which flag helps.
std::string why_not(const amg::SolveInfo& info) {
  switch (info.failure) {
    case amg::Failure::iteration_limit:
      return info.why_not + "; raise --max-iter";
    case amg::Failure::stagnated:
    case amg::Failure::tolerance_unreachable:
      if (info.residual >= 0.1) return info.why_not;  // such a x is not worth a larger tolerance
      return fmt::format("{}; give a --tol above {:.1e}", info.why_not, info.residual);
    default:
      return info.why_not;
  }
}

void print_levels(const amg::Solution& s) {
  const auto& levels = s.setup.levels;
  for (std::size_t l = 0; l < levels.size(); ++l)
    fmt::print("           level {}: {:>10} unknowns, {:>12} entries{}\n", l, levels[l].unknowns,
               levels[l].entries,
               s.ranks_of_levels.empty()   ? ""
               : s.ranks_of_levels[l] == 1 ? ", on one rank"
                                           : fmt::format(", on {} ranks", s.ranks_of_levels[l]));
}

void print(const Request& r, const umov::solve::Outcome& o) {
  const auto& system = o.system;
  const auto& s = o.solution;
  const auto& a = system.matrix;
  fmt::print("read in    {:.3g} s\n", o.read_seconds);
  fmt::print("matrix     {}: {} unknowns, {} entries ({:.1f} per row)\n", r.matrix, a.rows, a.column.size(),
             double(a.column.size()) / a.rows);
  if (system.repeated > 0)
    fmt::print("repeated   {} entries stand at a place that has one already; they are added up\n",
               system.repeated);
  fmt::print("device     {}\n", s.device);
  if (!s.note.empty()) fmt::print("note       {}\n", s.note);
  fmt::print("set-up     {:.4g} s, {} levels, operator complexity {:.3f}, grid complexity {:.3f}\n",
             s.setup.seconds, s.setup.levels.size(), s.setup.operator_complexity, s.setup.grid_complexity);
  print_levels(s);
  if (r.history)
    for (std::size_t k = 0; k < s.history.size(); ++k)
      fmt::print("           {:>4}  {:.6e}\n", k, s.history[k]);
  fmt::print("solve      {:.4g} s, {} iterations, {}\n", s.info.seconds, s.info.iterations,
             s.info.converged ? "converged" : "not converged: " + why_not(s.info));
  fmt::print("memory     {}{}\n", format_bytes(double(s.bytes)),
             s.ranks_of_levels.empty() ? "" : " on the fullest rank");
}

void print_accuracy(const amg::Solution& s) {
  if (std::isfinite(s.info.residual)) fmt::print("residual   |b - A x| / |b| = {:.3e}\n", s.info.residual);
  if (std::isfinite(s.error))
    fmt::print("accuracy   x is off by about {:.1e} of itself in the norm of A, {:.1e} of its length\n",
               s.error, s.error_of_length);
  if (s.condition > 0)
    fmt::print(
        "condition  number about {:.0e} with scaled rows{}\n", s.condition,
        s.sensitivity > 0
            ? fmt::format("; 16 digits of A and b determine x to about {:.0e} of its length", s.sensitivity)
            : "");
}

/// All that is printed and written of a solution; the exit code.
int report(const Request& r, const umov::solve::Outcome& o) {
  const auto& s = o.solution;
  print(r, o);
  fmt::print("{}", o.ranks);
  print_accuracy(s);
  if (std::isfinite(o.error)) fmt::print("error      |x - x_known| / |x_known| = {:.3e}\n", o.error);
  if (!r.output.empty()) {
    sparse::write_vector(r.output, s.x);
    fmt::print("written    {}\n", r.output);
  }
  // --tol is of the residual, which it has reached: that the case does not say more of x is no failed solve
  if (s.undetermined())
    complain(fmt::format(
        "umov solve: warning: the residual is below --tol, but x may be off by {:.0e} of its length (16 "
        "digits of A and b determine no more of it, condition number about {:.0e}); scale unknowns and "
        "equations to like "
        "size where A is made, or take only what does not depend on all of x",
        s.sensitivity, s.condition));
  return int(s.info.converged ? Exit::done : Exit::not_converged);
}

/// Of every rank; the exit code on the first, which alone writes.
int solve(const Request& r, const run::Machine& own, comm::Communicator& comm) {
  const auto outcome = umov::solve::run(r, own, comm);
  return comm.first() ? report(r, outcome) : int(Exit::done);
}

}  // namespace

int solve_command(std::span<const std::string> args) {
  CLI::App app(
      "Solves A x = b, A symmetric positive definite, by conjugate gradients with smoothed-aggregation "
      "multigrid",
      "umov solve");
  app.footer("Example: umov solve A.mtx b.mtx --tol 1e-10 -o x.mtx");
  Request request;
  declare(app, request);
  speak(command::by_options(app));
  try {
    // CLI11 takes a vector as a stack: last argument first.
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return int(Exit::done);
  } catch (const CLI::ParseError& e) {
    throw BadInput(fmt::format("{}; see `umov solve --help`", e.what()));
  }
  check(request);
  const run::Machine& machine = request;
  return command::on_ranks(
      machine, [&](const run::Machine& own, comm::Communicator& comm) { return solve(request, own, comm); });
}

}  // namespace umov::commands
