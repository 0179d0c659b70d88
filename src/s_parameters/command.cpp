#include "s_parameters/command.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <numeric>

#include "api/family.hpp"
#include "backend/gpus.hpp"
#include "command/case_line.hpp"
#include "command/command.hpp"
#include "command/output_folder.hpp"
#include "command/perform.hpp"
#include "core/atomic_file.hpp"
#include "core/text.hpp"
#include "core/timer.hpp"
#include "core/wording.hpp"
#include "fdtd/case/case.hpp"
#include "results/formats.hpp"
#include "run/finished.hpp"
#include "run/ranks.hpp"
#include "run/version.hpp"
#include "s_parameters/output.hpp"
#include "s_parameters/touchstone.hpp"
#include "sweep/run.hpp"
#include "sweep/state.hpp"

namespace umov::s_parameters {

namespace {

constexpr std::size_t most_values = 100000;  ///< frequencies of a spectrum

const Family& runs_of() { return family("fdtd"); }

std::vector<std::size_t> all_runs(const Setup& setup) {
  std::vector<std::size_t> all(setup.sweep.cases);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// GPUs that `machine.gpus` asks for; none: as the runs want.
std::vector<int> asked_gpus(const run::Machine& machine) {
  const int asked = machine.ranks.gpus;
  if (asked != comm::Asked::all && asked < 2) return {};
  std::vector<int> there = backend::usable_gpus();
  if (asked != comm::Asked::all && int(there.size()) > asked) there.resize(std::size_t(asked));
  return there;
}

std::vector<Machine> seats_of(const Setup& setup, const run::Machine& machine) {
  sweep::Wishes wishes;
  wishes.threads = machine.threads;
  if (machine.backend == "auto" || machine.backend == "cuda") wishes.gpus = asked_gpus(machine);
  Plan plan;
  plan.bytes = setup.bytes;
  plan.machine.backend = machine.backend;
  if (machine.device >= 0) plan.machine.device = machine.device;
  return sweep::choose_seats(plan, wishes, setup.sweep.cases);
}

void refuse_ranks(const run::Machine& machine) {
  comm::Asked ranks = machine.ranks;
  ranks.gpus = 0;  // where runs go side by side
  run::require_one_rank(ranks, "a run for S-parameters");
}

/// Runs as they come, on disk.
class Course {
 public:
  Course(const Setup& setup, const fdtd::Request& request)
      : setup_(setup),
        machine_(request.given.machine),
        keys_("fdtd", runs_of().parameters()),
        wanted_(all_runs(setup)) {
    for (const std::size_t k : wanted_) keys_.of(setup.sweep.case_of(k));
    sweep::check_cases(setup.sweep, runs_of(), wanted_);
    state_.identity = sweep::identity_of(setup.sweep, most_values);
    state_.files = keys_.files();
    rows_.resize(setup.sweep.cases);
    if (machine_.checkpoint.resume) take_over(sweep::read_state(machine_.output_dir));
  }

  /// Throws BadInput for the first run that fails, Interrupted.
  void run(const std::string& folder, const std::vector<Machine>& seats) {
    const std::string path = sweep::state_file(folder);
    sweep::StateFile file(path, state_);
    line_ = std::make_unique<command::CaseLine>("S-parameters", "runs", machine_.quiet);
    sweep::Watch watch;
    watch.finished = [&](std::size_t k, const sweep::Row& row) {
      const Tree tree = setup_.sweep.case_of(k);
      keys_.require_unchanged(tree);
      if (row.status != sweep::Status::failed) file.add({k, keys_.of(tree), row});
    };
    watch.progress = [&](const run::CaseProgress& p) { line_->update(p); };
    watch.warning = [&](const std::string& text) { say(text); };
    watch.stop = [] { return interrupted(); };
    try {
      sweep::run(*comm::one_rank(), setup_.sweep, runs_of(), seats, wanted_, rows_, {false, most_values},
                 watch);
    } catch (const run::Interrupted&) {
      throw run::Interrupted(
          fmt::format("interrupted; {} of {} runs are finished, continue with umov fdtd "
                      "--resume {}",
                      done(), wanted_.size(), folder));
    }
    line_->finish();
    if (failed() && done() == 0) command::remove_quietly(path);
    if (const sweep::Row* row = failed()) throw BadInput(row->message);
  }

  void finish() {
    if (line_) line_->finish();
  }
  const sweep::Rows& rows() const { return rows_; }
  const std::string& log() const { return log_; }
  void say(const std::string& text) {
    finish();
    line_ = std::make_unique<command::CaseLine>("S-parameters", "runs", machine_.quiet);
    warn(text);
    log_ += "warning: " + text + "\n";
  }

 private:
  void take_over(const sweep::State& before) {
    state_.rows = sweep::taken_over(before.rows, setup_.sweep, keys_, wanted_);
    for (const auto& x : state_.rows) rows_[x.number] = x.row;
  }
  const sweep::Row* failed() const {
    for (const auto& row : rows_)
      if (row && row->status == sweep::Status::failed) return &*row;
    return nullptr;
  }
  std::size_t done() const {
    std::size_t there = 0;
    for (const auto& row : rows_) there += row && row->status != sweep::Status::failed;
    return there;
  }

  const Setup& setup_;
  const run::Machine& machine_;
  sweep::Keys keys_;
  std::vector<std::size_t> wanted_;
  sweep::State state_;
  sweep::Rows rows_;
  std::unique_ptr<command::CaseLine> line_;
  std::string log_;
};

void refuse_unfinished(const run::Machine& machine) {
  std::error_code ignored;
  const std::string& folder = machine.output_dir;
  if (!machine.checkpoint.resume && !folder.empty() && run::is_unfinished(folder) &&
      std::filesystem::exists(sweep::state_file(folder), ignored))
    throw BadInput(
        fmt::format("{} has unfinished runs; continue them with `resume = '{}'`, or give another folder",
                    folder, folder));
}

std::string describe(const Setup& setup) {
  return fmt::format("S-parameters: {} ports and modes ({}), {} runs, {} frequencies", setup.channels.size(),
                     join(names_of(setup.channels), ", "), setup.excited.size(), setup.frequencies.size());
}

void write(const Matrix& m, const fdtd::Simulation& sim, const std::string& folder) {
  results::write(to_result(m), folder, sim.outputs);
  if (m.complete()) write_file(folder + "/" + touchstone_name(m), touchstone(m, run::version()));
  if (sim.outputs.pictures) draw_pictures(m, folder);
}

std::string not_converged(const sweep::Rows& rows, const sweep::Sweep& s) {
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k] && rows[k]->status == sweep::Status::not_converged)
      return fmt::format("the run of {}: {}", s.describe(k), rows[k]->message);
  return "";
}

/// What the runs have found.
struct Found {
  Matrix matrix;
  std::string why_not;  ///< a run did not converge; "": all have
  bool converged() const { return why_not.empty(); }
};

}  // namespace

void print_plan(const fdtd::Request& request) {
  const run::Machine& machine = request.given.machine;
  refuse_ranks(machine);
  const Setup setup = make_setup(request.simulation, machine);
  sweep::check_cases(setup.sweep, runs_of(), all_runs(setup));
  fmt::print("{}\n# {}\n", fdtd::resolved_toml(request.simulation, machine), printable(describe(setup)));
  for (std::size_t k = 0; k < setup.sweep.cases; ++k)
    fmt::print("# run {}: {}\n", k + 1, printable(setup.sweep.describe(k)));
  for (const auto& note : setup.notes) fmt::print("# {}\n", printable(note));
  fmt::print("# {}; memory estimate of a run: {}\n", sweep::describe_seats(seats_of(setup, machine), "run"),
             format_bytes(setup.bytes));
  for (const auto& warning : setup.warnings) fmt::print("# warning: {}\n", printable(worded(warning)));
}

Exit execute(const fdtd::Request& request) {
  const run::Machine& machine = request.given.machine;
  refuse_ranks(machine);
  refuse_unfinished(machine);
  const Setup setup = make_setup(request.simulation, machine);
  Course course(setup, request);
  const auto seats = seats_of(setup, machine);
  const Stopwatch watch;
  std::string text;
  command::StageWatch stages(command::StageWatch::only_timed);
  command::FamilyRun<run::Machine, Found> family;
  family.stages = &stages;
  family.stem = [] { return std::string("s_parameters"); };
  family.resolved = [&](const run::Machine& m) { return fdtd::resolved_toml(request.simulation, m); };
  family.run = [&](const run::Machine& m, const std::function<std::string()>& begun) {
    begun();
    stages.begin("runs");
    course.run(m.output_dir, seats);
    return Found{matrix_of(setup, course.rows()), not_converged(course.rows(), setup.sweep)};
  };
  family.finish = [&] { course.finish(); };
  family.write = [&](const Found& found, const std::string& folder, const std::vector<StageTime>&) {
    for (const auto& doubt : doubts(found.matrix)) course.say(doubt);
    write(found.matrix, request.simulation, folder);
    text = fmt::format("{}\n{}", describe(setup), summary(found.matrix));
  };
  family.log = [&](const Found&) {
    std::string notes;
    for (const auto& note : setup.notes) notes += note + "\n";
    return fmt::format("umov {}\n{}\n\n{}{}{}{} in {:.3g} s\n", run::version(), machine.command_line, text,
                       notes, course.log(), sweep::describe_seats(seats, "run"), watch.seconds());
  };
  family.summary = [&](const Found&) { return text; };
  family.why_not = [](const Found& found) { return found.why_not; };
  family.unfit = [](const Found&) { return std::string(); };
  return command::perform(machine, family);
}

}  // namespace umov::s_parameters
