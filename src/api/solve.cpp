// Symmetric definite systems by multigrid in the library.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "api/course.hpp"
#include "api/members.hpp"
#include "api/system.hpp"
#include "cases/declare.hpp"
#include "cases/device_parameter.hpp"
#include "cases/rank_parameters.hpp"
#include "linalg/amg/cycle.hpp"
#include "solve/run.hpp"

namespace umov::api {

namespace {

using umov::solve::Outcome;
using umov::solve::Simulation;

struct Case {
  Simulation simulation;
  umov::run::Machine machine;
  bool list_devices = false;  ///< a flag of commands, which trees have not
};

void add_system(ParameterTable<Case>& t) {
  using cases::item;
  t.add(item("matrix", "", "File of A: Matrix Market, coordinate, real symmetric or general.", "required"),
        path(), UMOV_SIM(matrix));
  t.add(item("right_side", "", "File of b: Matrix Market, one column.", "A times a known solution"), path(),
        UMOV_SIM(right_side));
  t.add(item("known", "", "The known solution where no right-hand side is given."), word_of([] {
          return std::vector<std::string>{"ones", "random"};
        }),
        UMOV_SIM(known));
}

void add_solver(ParameterTable<Case>& t) {
  const auto declare = [](const char* key, const char* help) {
    return cases::declare("solver", key, {}, "", help);
  };
  t.add(declare("tolerance", "End at this |b - A x| / |b|."), number(Range::above_to(0, 1)),
        UMOV_SIM(solver.tolerance));
  t.add(declare("max_iterations", "Most iterations."), integer<int>(Range::at_least(1)),
        UMOV_SIM(solver.max_iterations));
  t.add(declare("strength", "theta: a_ij couples where a_ij^2 > theta^2 a_ii a_jj; half per level."),
        number(Range::between(0, 0.99)), UMOV_SIM(solver.options.strength));
  t.add(declare("smoother", "Smoother of the V-cycle."),
        choice<amg::Smoother>({{"chebyshev", amg::Smoother::chebyshev}, {"jacobi", amg::Smoother::jacobi}}),
        UMOV_SIM(solver.options.smoother));
  t.add(declare("degree", "Degree of the polynomial; Jacobi: sweeps."), integer<int>(Range::between(1, 20)),
        UMOV_SIM(solver.options.degree));
  t.add(declare("eigenvalue_ratio", "Chebyshev: largest over smallest eigenvalue to damp; 0: 20."),
        number(Range::at_least(0)), UMOV_SIM(solver.options.eigenvalue_ratio));
  t.add(declare("coarsest", "Unknowns at which coarsening ends; 0: 300."), integer<int>(Range::at_least(0)),
        UMOV_SIM(solver.options.coarsest));
  t.add(declare("precision", "Arithmetic of the preconditioner; the iteration is in double."),
        choice<bool>({{"single", true}, {"double", false}}), UMOV_SIM(solver.options.single_precision));
}

const ParameterTable<Case>& table() {
  static const ParameterTable<Case> whole = [] {
    ParameterTable<Case> t;
    add_system(t);
    add_solver(t);
    cases::add_device_parameters(t);
    cases::add_rank_parameters(t);
    return t;
  }();
  return whole;
}

Case read(const Tree& tree, const Machine& machine) {
  Case c;
  Origins origins;
  table().read(with_machine(tree, machine, table()), c, origins, folder_of(tree));
  table().refuse_idle(&c, origins);
  const double ratio = c.simulation.solver.options.eigenvalue_ratio;
  if (ratio > 0 && ratio <= 1)
    throw BadInput(
        "'solver.eigenvalue_ratio' is at most 1 (the largest eigenvalue over the smallest); give more "
        "than 1, or 0 for the default");
  c.machine.quiet = true;
  return c;
}

/// The same of a system of files.
Case read_files(const Tree& tree, const Machine& machine) {
  Case c = read(tree, machine);
  if (c.simulation.matrix.empty())
    throw BadInput("no matrix (a system has one); give the file of A as 'matrix'");
  return c;
}

/// Throws BadInput for rows that are no square matrix; what is in them the solver checks.
umov::solve::System system_of(const Rows& a, std::span<const double> b) {
  constexpr auto most = std::size_t(std::numeric_limits<int>::max());
  const std::size_t entries = a.value.size();
  if (a.start.empty() || a.start.size() > most || entries > most || a.column.size() != entries ||
      a.start.front() != 0 || std::size_t(a.start.back()) != entries ||
      !std::is_sorted(a.start.begin(), a.start.end()))
    throw BadInput(
        fmt::format("matrix: {} starts of rows, {} columns and {} values are no compressed rows; give n "
                    "+ 1 starts, the last of which counts the entries",
                    a.start.size(), a.column.size(), entries));
  umov::solve::System s;
  s.matrix.rows = s.matrix.columns = int(a.start.size()) - 1;
  s.matrix.start.assign(a.start.begin(), a.start.end());
  s.matrix.column.assign(a.column.begin(), a.column.end());
  s.matrix.value.assign(a.value.begin(), a.value.end());
  s.right_side.assign(b.begin(), b.end());
  return s;
}

results::Result computed(const Tree& tree, const Machine&, const Observer&) {
  const Case c = read_files(tree, {});
  return to_result(umov::solve::run(c.simulation, c.machine, *comm::one_rank()));
}

class Solve : public Family {
 public:
  std::string name() const override { return "solve"; }
  const ParameterList& parameters() const override { return table(); }

  void check(const Tree& tree) const override { read_files(tree, {}); }

  Plan plan(const Tree& tree, const Machine& machine) const override {
    const Case c = read_files(tree, machine);
    umov::solve::read_system(c.simulation);
    return {table().write_toml(c), 0, {}, {}, machine_of(c.machine, tree)};
  }

  results::Result run(const Tree& tree, const Machine& machine, const Observer& observer) const override {
    const Case c = read_files(tree, machine);
    Told told(observer);
    return to_result(on_ranks(c.machine, told, [&](const umov::run::Machine& own, comm::Communicator& comm) {
      return umov::solve::run(c.simulation, own, comm);
    }));
  }

  std::vector<std::unique_ptr<Series>> series(const std::vector<Machine>& seats) const override {
    return series_of(seats, parameters(), computed);
  }
};

}  // namespace

const Family& solve() {
  static const Solve family;
  return family;
}

}  // namespace umov::api

namespace umov {

namespace {

api::Case read_options(const Tree& options, const Machine& machine) {
  api::Case c = api::read(options, machine);
  if (!c.simulation.matrix.empty() || !c.simulation.right_side.empty())
    throw BadInput("'matrix' and 'right_side' name files (the system is given as arrays); leave them out");
  return c;
}

}  // namespace

Preconditioner::Preconditioner(const Rows& a, const Tree& options, const Machine& machine)
    : size_(a.start.empty() ? 0 : a.start.size() - 1) {
  const api::Case c = read_options(options, machine);
  if (c.machine.backend != "auto" && c.machine.backend != "cpu")
    throw BadInput(fmt::format("backend '{}' for a preconditioner (it computes on the processor); give 'cpu'",
                               c.machine.backend));
  cycle_ = amg::make_cycle(api::system_of(a, {}).matrix, c.simulation.solver.options, c.machine.threads);
}

Preconditioner::~Preconditioner() = default;
Preconditioner::Preconditioner(Preconditioner&&) noexcept = default;

void Preconditioner::apply(std::span<const double> r, std::span<double> z) const {
  if (r.size() != size_ || z.size() != size_)
    throw BadInput(fmt::format("a vector of {} elements (the matrix has {} rows); give one of each row",
                               r.size() != size_ ? r.size() : z.size(), size_));
  cycle_->apply(r, z);
}

results::Result solve_rows(const Rows& a, std::span<const double> b, const Tree& options,
                           const Machine& machine, const Observer& observer) {
  const api::Case c = read_options(options, machine);
  const auto system = api::system_of(a, b);
  api::Told told(observer);
  return to_result(api::on_ranks(c.machine, told, [&](const run::Machine& own, comm::Communicator& comm) {
    return umov::solve::run(c.simulation, own, comm, &system);
  }));
}

}  // namespace umov
