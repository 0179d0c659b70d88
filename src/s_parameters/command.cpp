#include "s_parameters/command.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "api/family.hpp"
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
  void run(const std::string& folder, const std::vector<Machine>& seats) {
    begin_line();
    sweep::Watch watch;
    watch.progress = [&](const run::CaseProgress& p) { line_->update(p); };
    watch.warning = [&](const std::string& text) { say(text); };
    watch.stop = [] { return interrupted(); };
    runs_.compute(folder, seats, watch, "continue with umov fdtd --resume " + folder);
    line_->finish();
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

void write(const Matrix& m, const fdtd::Simulation& sim, const command::OutputFolder& folder) {
  results::write(to_result(m), folder.path(), sim.outputs);
  if (m.complete()) write_file(folder.file(touchstone_name(m)), touchstone(m, run::version()));
  if (sim.outputs.pictures) draw_pictures(m, folder.path());
}

}  // namespace

void print_plan(const fdtd::Request& request) {
  const run::Machine& machine = request.given.machine;
  refuse_ranks(machine);
  const Setup setup = make_setup(request.simulation, machine);
  sweep::check_cases(setup.sweep, family("fdtd"), all_runs(setup));
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
  const SignalGuard guard;  // from before there is a folder until all is written
  const Stopwatch watch;
  command::OutputFolder folder(machine.output_dir, [] { return std::string("s_parameters"); });
  run::Machine recorded = machine;
  recorded.output_dir = folder.path();
  const std::string resolved = fdtd::resolved_toml(request.simulation, recorded);
  std::string log;
  command::guarded(
      folder, [&] { course.finish(); },
      [&] {
        folder.begin(machine.checkpoint.resume ? "" : resolved);
        log += command::warn_if_used(folder, machine.checkpoint.resume);
        course.run(folder.path(), seats);
        return 0;
      });
  const SignalGuard until_written;
  const Matrix matrix = matrix_of(setup, course.rows());
  for (const auto& text : doubts(matrix)) course.say(text);
  write_file(folder.file("resolved.toml"), resolved);
  write(matrix, request.simulation, folder);
  const std::string text = fmt::format("{}\n{}", describe(setup), summary(matrix));
  std::string notes;
  for (const auto& note : setup.notes) notes += note + "\n";
  const std::string why_not = not_converged(course.rows(), setup.sweep);
  write_file(folder.file("log"),
             printable(worded(fmt::format("umov {}\n{}\n\n{}{}{}{}{} in {:.3g} s\n\n{}", run::version(),
                                          machine.command_line, text, notes, log, course.log(),
                                          sweep::describe_seats(seats, "run"), watch.seconds(), resolved))));
  folder.settle(!machine.checkpoint.resume);
  if (!machine.quiet) fmt::print("{}results: {}\n", printable(text), folder.path());
  if (why_not.empty()) return Exit::done;
  warn(why_not + "; the results are marked as not converged");
  return Exit::not_converged;
}

}  // namespace umov::s_parameters
