// A run of `umov pmaxwell`: read, iterate, write.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <optional>

#include "command/command.hpp"
#include "command/perform.hpp"
#include "command/stage_watch.hpp"
#include "core/atomic_file.hpp"
#include "core/console.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/progress.hpp"
#include "core/signals.hpp"
#include "core/step_progress.hpp"
#include "core/text.hpp"
#include "core/timer.hpp"
#include "core/wording.hpp"
#include "pmaxwell/command/command.hpp"
#include "pmaxwell/directory.hpp"
#include "pmaxwell/iterate.hpp"
#include "pmaxwell/vtk_file.hpp"
#include "run/version.hpp"

namespace umov::pmaxwell {

namespace {

/// The twelve fields come first.
constexpr int state_arrays = 12;

class Run {
 public:
  explicit Run(const Request& r) : r_(r), backend_(resolved_backend(r.backend)) {}

  int all() {
    const SignalGuard guard;
    if (!r_.state.empty() && !r_.force) require_vacant(r_.state, state_arrays, r_.layout);
    stages_.begin("reading");
    read();
    if (r_.dry_run) return plan();
    make_folder(r_.output);
    if (!r_.state.empty()) make_folder(r_.state);
    stages_.begin("taking over");
    engine_ = make_engine(std::move(system_), {backend_, r_.threads, r_.device, r_.copies});
    iterate();
    stages_.finish("output");
    if (!r_.state.empty()) write_state();
    if (report_.ending == Ending::diverged) place_ = largest_place(*engine_, cells_, r_.layout);
    write_file(r_.output + "/log", printable(worded(log())));
    if (!r_.quiet) fmt::print("{}", printable(summary()));
    return end();
  }

 private:
  void read() {
    system_ = read_directory(r_.directory, r_.layout);
    cells_ = system_.cells;
    nodes_ = system_.nodes;
    turn_ = turn_per_step(system_);
    amplitude_ = amplitude(system_);
    doubts_ = doubts(system_);
    if (turn_ == 0 && (r_.ramp > 0 || r_.tolerance > 0))
      throw BadInput(fmt::format(
          "{}: {} needs the period, and no t_H tells it (where nothing is lost its absolute value is 1, its "
          "argument the angle of a step); leave the option out",
          r_.directory, r_.ramp > 0 ? "--ramp" : "--tolerance"));
    for (const auto& d : doubts_) warn(d + "; the iteration may grow without limit");
    if (turn_ != 0 && r_.tolerance > 0 && r_.tolerance < least_phasor_change(turn_))
      warn(fmt::format(
          "--tolerance {:g} is below {:.1e}, what rounding in single precision changes in a period of {:.4g} "
          "steps: it is not reached; give a larger one",
          r_.tolerance, least_phasor_change(turn_), 2 * pi / std::abs(turn_)));
    if (amplitude_ == 0) warn("there is neither a source nor a field: all stays 0");
    if (ramp() > r_.iterations)
      warn(fmt::format(
          "the sources rise over {} iterations ({:g} periods), and there are only {}: the fields of "
          "the end are not steady",
          ramp(), r_.ramp, r_.iterations));
    if (backend_ != "cuda")  // a GPU's own memory is looked at when it takes over
      require_memory(std::size_t(engine_bytes(cells_) - array_bytes(cells_)), "the iteration",
                     "take a smaller grid");
  }

  void warn(const std::string& text) {
    warnings_.push_back(text);
    umov::warn(text);
  }

  std::string grid_text() const {
    std::string out = fmt::format("{} x {} x {} cells", cells_[0], cells_[1], cells_[2]);
    if (turn_ != 0) out += fmt::format(", {:.4f} steps a period", 2 * pi / std::abs(turn_));
    return out + fmt::format(", sources and fields up to {:.4g}", amplitude_);
  }

  int plan() const {
    fmt::print("{}: {}\nbackend: {}\nmemory: {}", r_.directory, grid_text(), backend_,
               format_bytes(engine_bytes(cells_)));
    if (backend_ == "cuda") fmt::print(" on the GPU, {} beside it", format_bytes(array_bytes(cells_)));
    if (const auto there = available_memory())
      fmt::print(" (this machine has {} left)", format_bytes(double(there)));
    fmt::print("\n");
    command::refuse_missing_backend(backend_);
    return int(Exit::done);
  }

  /// Iterations over which the sources rise.
  long ramp() const { return turn_ != 0 ? std::lround(r_.ramp * 2 * pi / std::abs(turn_)) : 0; }

  bool has_goal() const { return r_.epsilon > 0 || r_.tolerance > 0; }

  /// What the goal is measured by: the phasor's change over the largest field, or the thesis's.
  double measure(const Changes& c) const {
    if (r_.tolerance > 0) return c.largest > 0 ? c.phasor / c.largest : 0;
    return c.plain;
  }

  void iterate() {
    const double voxels = double(cells_[0]) * cells_[1] * cells_[2];
    std::optional<Progress> to_goal;
    std::optional<StepProgress> to_end;
    Progress::Options goal;
    goal.goal = r_.tolerance > 0 ? r_.tolerance : r_.epsilon;
    goal.label = "pmaxwell";
    goal.quiet = r_.quiet;
    StepProgress::Options end;
    end.cells = voxels;
    end.quiet = r_.quiet;
    if (has_goal())
      to_goal.emplace(goal);
    else
      to_end.emplace(end);
    trend_.emplace(goal.goal);
    IterateOptions o;
    o.iterations = r_.iterations;
    o.interval = r_.interval;
    o.epsilon = r_.epsilon;
    o.tolerance = r_.tolerance;
    o.ramp = ramp();
    o.turn = turn_;
    o.amplitude = amplitude_;
    o.snapshot = [&] { snapshot(); };
    o.stop = [&] {
      stages_.looks_itself("iterations");
      return interrupted();
    };
    o.hook = [&](long n, const Changes& c) {
      if (n >= o.ramp && measure(c) > 0) trend_->add(n, measure(c));
      if (to_goal && measure(c) >= 0) to_goal->update(n, measure(c));
      if (to_end) to_end->update(n, r_.iterations, true, fmt::format("change {:.2e}", c.plain));
    };
    const Stopwatch watch;
    report_ = pmaxwell::iterate(*engine_, o);
    seconds_ = watch.seconds() - times_.seconds("snapshots");
  }

  void snapshot() {
    const ScopedTimer timer(times_, "snapshots");
    Axes axes = nodes_;
    for (auto& axis : axes) axis.pop_back();  // the points that every component has
    write_grid(fmt::format("{}/results.{}.vtk", r_.output, snapshots_++),
               "Euclidean norm of E and H by umov pmaxwell", axes, "norm", 1, engine_->norm(r_.norm_of_parts),
               r_.text);
  }

  void write_state() {
    const ScopedTimer timer(times_, "state");
    for (int a = 0; a < state_arrays; ++a)
      write_array(
          r_.state, a, r_.layout, nodes_,
          fmt::format("{} after {} iterations of umov pmaxwell", name_of(a, r_.layout), report_.iterations),
          engine_->field(a), r_.text);
  }

  /// Steps that are missing, where a goal was not reached and the trend tells.
  std::string steps_left() const {
    const auto left = trend_->iterations_left();
    return left ? fmt::format("; at this rate {:.0f} more steps", *left) : "";
  }

  std::string how_it_ended() const {
    const auto& c = report_.last;
    switch (report_.ending) {
      case Ending::epsilon:
        return fmt::format("ended: no component of E changes by {:g} in a step", r_.epsilon);
      case Ending::tolerance:
        return fmt::format("ended: the phasor changes by less than {:g} of the largest E in a period",
                           r_.tolerance);
      case Ending::rounding:
        return fmt::format(
            "not converged: {} has stayed at {:.1e} for half of all steps (goal {:g}; single precision "
            "hardly "
            "gives less{}); take a larger goal, or leave it out to go on",
            r_.tolerance > 0 ? "the phasor's change in a period over the largest E" : "the change",
            measure(c), r_.tolerance > 0 ? r_.tolerance : r_.epsilon,
            turn_ != 0 ? fmt::format(" with {:.4g} steps a period", 2 * pi / std::abs(turn_)) : "");
      case Ending::diverged:
        return fmt::format(
            "diverged after {} iterations: {}, {}; {}", report_.iterations, report_.trouble, place_,
            doubts_.empty()
                ? "no coefficient shows a cause (abs(t) <= 1, s along the curl, the time step below "
                  "Courant's limit); look at sources, and where coefficients of neighbours differ"
                : "cause: " + doubts_.front());
      case Ending::interrupted:
        return fmt::format("interrupted; numbers of E are those of the last look, one in {} steps",
                           look_every);
      case Ending::steps:
        break;
    }
    if (!has_goal()) return "ended: all iterations are done";
    if (report_.iterations < ramp())
      return fmt::format(
          "not converged: the sources still rose (over {} iterations, of {:g} periods) when the "
          "iterations were done: no goal counts before",
          ramp(), r_.ramp);
    return fmt::format("not converged: {} is {:.2e} (goal {:g}){}",
                       r_.tolerance > 0 ? "the phasor's change in a period" : "the change", measure(c),
                       r_.tolerance > 0 ? r_.tolerance : r_.epsilon, steps_left());
  }

  std::string changes_text() const {
    const auto& c = report_.last;
    std::string out = fmt::format("largest change of E in the last step: {:.3e}\n", c.plain);
    if (c.phasor >= 0)
      out += fmt::format(
          "of the phasor in a period, without what stands still: {:.3e}, {:.3e} of the largest E\n", c.phasor,
          c.largest > 0 ? c.phasor / c.largest : 0);
    if (c.phasor >= 0 && r_.ramp == 0 && c.plain > 3 * c.phasor * std::abs(turn_) / (2 * pi) &&
        c.plain > 1e-5 * c.largest)
      out +=
          "most of that change is a static field, left by sources that are switched on at once: --ramp 20 "
          "leaves none\n";
    return out;
  }

  std::string summary() const {
    const double voxels = double(cells_[0]) * cells_[1] * cells_[2];
    std::string out = fmt::format("{}, {} iterations in {:.3g} s on {} ({:.4g} Mcells/s)\n", grid_text(),
                                  report_.iterations, seconds_, engine_->device_name(),
                                  1e-6 * voxels * double(report_.iterations) / seconds_);
    out += fmt::format("largest component of E: {:.6g}\n", report_.last.largest);
    out += changes_text() + how_it_ended() + "\n";
    out += fmt::format("results: {}/results.{}.vtk", r_.output,
                       snapshots_ > 1 ? fmt::format("0 to {}", snapshots_ - 1) : "0");
    if (!r_.state.empty()) out += ", state: " + r_.state;
    return out + "\n";
  }

  std::string log() const {
    std::string out = fmt::format("umov {}\n{}\n\nmemory: {}\n", run::version(), r_.command_line,
                                  format_bytes(engine_bytes(cells_)));
    for (const auto& w : warnings_) out += "warning: " + w + "\n";
    out += summary() + "\n" + stages_.table() + "\nwhere the time went (s)\n";
    for (const TimerTable* table : {&times_, &engine_->times()})
      for (const auto& row : table->rows())
        out += fmt::format("  {:<18} {:>10.4g}  {} times\n", row.name, row.seconds, row.calls);
    return out;
  }

  int end() const {
    if (std::filesystem::exists(fmt::format("{}/results.{}.vtk", r_.output, snapshots_)))
      umov::warn(fmt::format("{}/results.{}.vtk is of an earlier run, which took more snapshots", r_.output,
                             snapshots_));
    switch (report_.ending) {
      case Ending::interrupted:
        throw run::Interrupted(fmt::format("the run was stopped after {} iterations (the results are of "
                                           "these); --state keeps the fields to go "
                                           "on from",
                                           report_.iterations),
                               received_signal() ? Exit(128 + received_signal()) : Exit::interrupted);
      case Ending::diverged:
        throw Error(Exit::not_converged, how_it_ended());
      case Ending::rounding:
      case Ending::steps:
        if (!has_goal()) return int(Exit::done);
        umov::warn(how_it_ended());
        return int(Exit::not_converged);
      default:
        return int(Exit::done);
    }
  }

  Request r_;
  std::string backend_;  ///< never "auto"
  System system_;
  Int3 cells_{0, 0, 0};
  Axes nodes_;
  double turn_ = 0, amplitude_ = 0, seconds_ = 0;
  std::vector<std::string> doubts_, warnings_;
  std::unique_ptr<Engine> engine_;
  IterateReport report_;
  std::optional<ResidualTrend> trend_;
  std::string place_;
  int snapshots_ = 0;
  TimerTable times_;
  command::StageWatch stages_{{"pmaxwell", r_.quiet}};
};

}  // namespace

int execute(const Request& r) { return Run(r).all(); }

}  // namespace umov::pmaxwell
