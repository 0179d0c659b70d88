#include "s_parameters/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "api/family.hpp"
#include "comm/apart.hpp"
#include "comm/world.hpp"
#include "command/case_line.hpp"
#include "command/command.hpp"
#include "command/perform.hpp"
#include "core/atomic_file.hpp"
#include "core/stage_times.hpp"
#include "core/text.hpp"
#include "core/timer.hpp"
#include "core/wording.hpp"
#include "fdtd/case/case.hpp"
#include "fdtd/command/execute.hpp"
#include "results/formats.hpp"
#include "run/finished.hpp"
#include "run/version.hpp"
#include "s_parameters/output.hpp"
#include "s_parameters/runs.hpp"
#include "s_parameters/touchstone.hpp"

namespace umov::s_parameters {

namespace {

/// Runs as they come, their line and their log.
class Course {
 public:
  Course(const Setup& setup, const fdtd::Request& request)
      : runs_(setup, request.given.machine), machine_(request.given.machine) {}

  /// Throws BadInput for the first run that fails, Interrupted.
  void run(comm::Communicator& comm, const std::string& folder, const std::vector<Machine>& seats) {
    sweep::Watch watch;
    watch.stop = [] { return interrupted(); };
    if (comm.first()) {
      begin_line();
      watch.progress = [&](const run::CaseProgress& p) { line_->update(p); };
      watch.warning = [&](const std::string& text) { say(told_of_ports(text)); };
    }
    const sweep::Course course =
        runs_.compute(comm, folder, seats, watch, "continue with umov fdtd --resume " + folder);
    if (comm.size() > 1 && comm.first()) log_ += course.words + "\n" + course.ranks;
    finish();
  }

  void finish() {
    if (line_) line_->finish();
  }
  const sweep::Rows& rows() const { return runs_.rows(); }
  const std::string& log() const { return log_; }
  void say(const std::string& text) {
    finish();
    begin_line();
    warn(text);
    log_ += "warning: " + text + "\n";
  }

 private:
  void begin_line() { line_ = std::make_unique<command::CaseLine>("S-parameters", "runs", machine_.quiet); }

  Runs runs_;
  const run::Machine& machine_;
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

void write(const Matrix& m, const Setup& setup, const fdtd::Simulation& sim, const std::string& folder) {
  results::write(to_result(m, setup), folder, sim.outputs);
  if (m.complete()) write_file(folder + "/" + touchstone_name(m), touchstone(m, run::version()));
  if (sim.outputs.pictures) draw_pictures(m, setup, folder);
}

/// The runs of a case. Processes of mpirun have runs of their own.
Setup setup_of(const fdtd::Request& request) {
  const comm::Apart alone;
  refuse_ranks(request.given.machine);
  try {
    return make_setup(request.simulation, request.given.machine, request.origins);
  } catch (const BadInput&) {
    if (request.given.machine.dry_run) fdtd::print_layout(request.simulation);
    throw;
  }
}

/// Where the time of the runs of this call went, added up.
std::string times_of(const sweep::Rows& rows) {
  std::vector<StageTime> stages;
  double all = 0;
  std::size_t computed = 0;
  for (const auto& row : rows) {
    if (!row || row->stages.empty()) continue;
    for (const StageTime& s : row->stages) add_seconds(stages, s.name, s.seconds);
    all += row->seconds, ++computed;
  }
  return computed == 0
             ? ""
             : fmt::format("{} run(s) of this call, added up: {}", computed, times_table(stages, all));
}

/// A line for each run: its steps, the time that they stand for, and what it took where it was computed.
std::string runs_of(const Setup& setup, const sweep::Rows& rows) {
  std::string out;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!rows[k]) continue;
    const sweep::Row& row = *rows[k];
    const auto number = [&](const char* name) {
      const auto found = std::ranges::find(row.scalars, std::string(name), &sweep::Scalar::name);
      return found == row.scalars.end() ? 0.0 : found->value;
    };
    out += fmt::format("run {}, {}: {:.0f} steps, time {:.6g}, {:.3g} s{}\n", k + 1, setup.sweep.describe(k),
                       number("run/steps"), number("run/time"), row.seconds,
                       row.stages.empty() ? " (kept of a call before)" : "");
  }
  return out;
}

/// What the runs have found.
struct Found {
  Matrix matrix;
  std::string why_not;  ///< a run did not converge; "": all have
  bool converged() const { return why_not.empty(); }
};

}  // namespace

void print_plan(const fdtd::Request& request) {
  const fdtd::Machine& machine = request.given.machine;
  const Setup setup = setup_of(request);
  sweep::check_cases(setup.sweep, family("fdtd"), all_runs(setup));
  fmt::print("{}\n# {}\n", fdtd::resolved_toml(request.simulation, machine), printable(describe(setup)));
  for (std::size_t k = 0; k < setup.sweep.cases; ++k)
    fmt::print("# run {}: {}\n", k + 1, printable(setup.sweep.describe(k)));
  for (const auto& note : setup.notes) fmt::print("# {}\n", printable(note));
  fmt::print("# {}; memory estimate of a run: {}\n", sweep::describe_seats(seats_of(setup, machine), "run"),
             format_bytes(setup.bytes));
  for (const auto* list : {&setup.warnings, &setup.doubts})
    for (const auto& warning : *list) fmt::print("# warning: {}\n", printable(worded(warning)));
}

Exit execute(const fdtd::Request& request) {
  const fdtd::Machine& machine = request.given.machine;
  comm::World* const world = comm::world();
  if (comm::talks()) refuse_unfinished(machine);
  const Setup setup = setup_of(request);
  Course course(setup, request);
  const auto seats = seats_of(setup, machine, world);
  const auto single = comm::one_rank();
  comm::Communicator& comm = world ? *world : *single;
  const Stopwatch watch;
  std::string text;
  command::StageWatch stages(command::StageWatch::only_timed);
  command::FamilyRun<fdtd::Machine, Found> family;
  family.stages = &stages;
  family.stem = [] { return std::string("s_parameters"); };
  family.resolved = [&](const fdtd::Machine& m) { return fdtd::resolved_toml(request.simulation, m); };
  family.run = [&](const fdtd::Machine& m, const std::function<std::string()>& begun) {
    const comm::Apart alone;
    if (begun) begun();
    if (comm.first())
      for (const auto& doubt : setup.doubts) course.say(doubt);
    stages.begin("runs");
    course.run(comm, m.output_dir, seats);
    if (!comm.first()) return Found{};
    Matrix matrix = matrix_of(setup, course.rows());
    std::string why_not = not_converged(course.rows(), setup.sweep);
    if (!why_not.empty()) why_not += "; " + remedy(matrix);
    return Found{std::move(matrix), std::move(why_not)};
  };
  family.finish = [&] { course.finish(); };
  family.write = [&](const Found& found, const std::string& folder, const std::vector<StageTime>&) {
    for (const auto& doubt : doubts(found.matrix)) course.say(doubt);
    write(found.matrix, setup, request.simulation, folder);
    text = fmt::format("{}\n{}", describe(setup), summary(found.matrix));
  };
  family.log = [&](const Found&) {
    std::string notes;
    for (const auto& note : setup.notes) notes += note + "\n";
    return fmt::format("umov {}\n{}\n\n{}{}{}{} in {:.3g} s\n{}{}", run::version(), machine.command_line,
                       text, notes, course.log(), world ? "runs" : sweep::describe_seats(seats, "run"),
                       watch.seconds(), runs_of(setup, course.rows()), times_of(course.rows()));
  };
  family.summary = [&](const Found&) { return text; };
  family.why_not = [](const Found& found) { return found.why_not; };
  family.unfit = [](const Found&) { return std::string(); };
  return command::perform(machine, family);
}

}  // namespace umov::s_parameters
