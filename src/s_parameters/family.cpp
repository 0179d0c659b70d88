#include "s_parameters/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "api/course.hpp"
#include "fdtd/case/case.hpp"
#include "s_parameters/matrix.hpp"
#include "s_parameters/output.hpp"
#include "s_parameters/runs.hpp"

namespace umov::s_parameters {

namespace {

using Asked = api::Ready<fdtd::Simulation, fdtd::Machine>;

/// A case that asks for the matrix; nothing where it asks for one run.
std::optional<Asked> asked_for(const Tree& tree, const Machine& machine) {
  if (!tree.contains("s_parameters")) return {};
  Asked asked = api::ready_case(fdtd::parameters(), tree, machine, fdtd::finish_case);
  if (!asked.sim.s_parameters.wanted()) return {};
  refuse_ranks(asked.machine);
  return asked;
}

results::Result result_of(const Setup& setup, const sweep::Rows& rows, api::Told& told) {
  const Matrix matrix = matrix_of(setup, rows);
  for (const auto& text : setup.doubts) told.warn(text);
  for (const auto& text : doubts(matrix)) told.warn(text);
  results::Result r = to_result(matrix, setup);
  std::string why_not = not_converged(rows, setup.sweep);
  if (!why_not.empty()) why_not += "; " + remedy(matrix);
  api::say_converged(r, why_not.empty(), why_not);
  return r;
}

/// Runs side by side as their observer hears of them.
sweep::Watch watch_of(api::Told& told, std::size_t runs) {
  const auto text = std::make_shared<std::string>(fmt::format("0 of {} runs", runs));
  const auto done = std::make_shared<double>(0);
  sweep::Watch watch;
  watch.warning = [&told](const std::string& warning) { told.warn(warning); };
  watch.progress = [=](const run::CaseProgress& p) {
    *done = double(p.finished) / double(std::max<std::size_t>(p.cases, 1));
    *text = fmt::format("{} of {} runs", p.finished, p.cases);
  };
  watch.stop = [=, &told] { return !told.progress(*done, *text); };
  return watch;
}

/// The runs of one case after another, on one seat.
class MatrixSeries : public Series {
 public:
  MatrixSeries(Machine seat, std::unique_ptr<Series> runs) : seat_(std::move(seat)), runs_(std::move(runs)) {}

  results::Result run(const Tree& tree, const Observer& observer) override {
    const auto& table = umov::family("fdtd").parameters();
    const auto asked = asked_for(api::seated(tree, seat_, table), {});
    if (!asked) return runs_->run(tree, observer);
    const Setup setup = make_setup(asked->sim, asked->machine);
    api::Told told(observer);
    sweep::Rows rows(setup.sweep.cases);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      Observer mine = observer;
      mine.progress = [&](double fraction, const std::string& text) {
        return told.progress((double(k) + fraction) / double(rows.size()),
                             fmt::format("{}: {}", setup.sweep.describe(k), text));
      };
      rows[k] = sweep::row_of(runs_->run(setup.sweep.case_of(k), mine), most_values);
    }
    return result_of(setup, rows, told);
  }

 private:
  Machine seat_;
  std::unique_ptr<Series> runs_;
};

class Fdtd : public Family {
 public:
  std::string name() const override { return "fdtd"; }
  const ParameterList& parameters() const override { return one_run().parameters(); }

  void check(const Tree& tree) const override {
    if (!asked_for(tree, {})) one_run().check(tree);
  }

  Plan plan(const Tree& tree, const Machine& machine) const override {
    const auto asked = asked_for(tree, machine);
    if (!asked) return one_run().plan(tree, machine);
    const Setup setup = make_setup(asked->sim, asked->machine);
    sweep::check_cases(setup.sweep, one_run(), all_runs(setup));
    const auto seats = seats_of(setup, asked->machine);
    Plan plan{fdtd::resolved_toml(asked->sim, asked->machine),
              setup.bytes * double(seats.size()),
              setup.warnings,
              {describe(setup)},
              api::machine_of(asked->machine, tree)};
    for (std::size_t k = 0; k < setup.sweep.cases; ++k)
      plan.notes.push_back(fmt::format("run {}: {}", k + 1, setup.sweep.describe(k)));
    plan.notes.insert(plan.notes.end(), setup.notes.begin(), setup.notes.end());
    plan.notes.push_back(sweep::describe_seats(seats, "run"));
    plan.warnings.insert(plan.warnings.end(), setup.doubts.begin(), setup.doubts.end());
    return plan;
  }

  results::Result run(const Tree& tree, const Machine& machine, const Observer& observer) const override {
    const auto asked = asked_for(tree, machine);
    if (!asked) return one_run().run(tree, machine, observer);
    api::refuse_moments(observer, "several runs go on side by side");
    api::Told told(observer);
    const Setup setup = make_setup(asked->sim, asked->machine);
    Runs runs(setup, asked->machine);
    runs.compute(*comm::one_rank(), machine.checkpoint, seats_of(setup, asked->machine),
                 watch_of(told, setup.sweep.cases),
                 machine.checkpoint.empty() ? "" : "`resume` goes on in " + machine.checkpoint);
    return result_of(setup, runs.rows(), told);
  }

  results::Result model(const Tree& tree) const override { return one_run().model(tree); }

  std::vector<std::unique_ptr<Series>> series(const std::vector<Machine>& seats) const override {
    auto all = one_run().series(seats);
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = std::make_unique<MatrixSeries>(seats[i], std::move(all[i]));
    return all;
  }

 private:
  static const Family& one_run() { return umov::family("fdtd"); }
};

}  // namespace

const Family& family(std::string_view name) {
  static const Fdtd fdtd;
  const Family& found = umov::family(name);
  return found.name() == fdtd.name() ? fdtd : found;
}

const Family& family_of(const Tree& tree) { return family(umov::family_of(tree).name()); }

}  // namespace umov::s_parameters
