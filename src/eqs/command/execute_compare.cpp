#include "eqs/command/execute_compare.hpp"

#include <fmt/format.h>

#include "command/line_watch.hpp"
#include "command/perform.hpp"
#include "core/console.hpp"
#include "core/signals.hpp"
#include "core/time_progress.hpp"
#include "core/wording.hpp"
#include "eqs/case/case.hpp"
#include "eqs/command/execute.hpp"
#include "eqs/output/comparison_results.hpp"
#include "eqs/run/compare.hpp"
#include "results/finite.hpp"

namespace umov::eqs {

std::string comparison_text(const Comparison& o) {
  std::string out = fmt::format("{:<2} {:<46} {:>9} {:>8} {:>6} {:>7} {:>7} {:>8} {:>10}\n", "", "method",
                                "seconds", "speed-up", "steps", "stages", "Newton", "CG", "difference");
  for (const MethodRow& m : o.methods) {
    if (!m.converged) {
      out += fmt::format("{:<2} {:<46} did not converge: {}\n", m.method.letter, m.method.text, m.why_not);
      continue;
    }
    out += fmt::format("{:<2} {:<46} {:>9.3g} {:>8.3g} {:>6} {:>7} {:>7} {:>8} {:>10.2e}\n", m.method.letter,
                       m.method.text, m.seconds, m.seconds > 0 ? o.methods.front().seconds / m.seconds : 0.0,
                       m.steps, m.stages, m.newton, m.linear, m.difference);
  }
  for (const StepErrorRow& e : o.errors)
    out += fmt::format("{} in steps of {:.4g} s: local error {:.2e}, global {:.2e}\n",
                       e.method.scheme == Scheme::sdirk3 ? "sdirk3" : "rkc", e.step, e.local, e.global);
  return out;
}

Exit execute(const Simulation& sim, const ComparisonSpec& spec) {
  using Watch = command::LineWatch<TimeProgress>;
  Watch watch;
  RunObserver observer;
  watch.listen(observer);
  observer.stage = [&](const std::string& name) {
    watch.finish();
    if (!sim.quiet && !name.empty()) complain("eqs: " + name);
  };
  observer.time = [&](const TimeReport& r) {
    const auto options = [&](const std::string&) {
      TimeProgress::Options p;
      p.label = "eqs";
      p.quiet = sim.quiet;
      return p;
    };
    watch.line(options).update(r.time, r.end, fmt::format("step {}  CG {}", r.steps, r.linear));
    return !interrupted();
  };
  const SignalGuard guard;
  command::OutputFolder folder(sim.output_dir, [&] { return folder_stem(sim) + "_methods"; });
  command::warn_if_used(folder, false);
  Simulation recorded = sim;
  recorded.output_dir = folder.path();
  const Comparison outcome = command::guarded(
      folder, [&] { watch.finish(); },
      [&] {
        folder.begin(resolved_toml(recorded, spec));
        return compare(sim, spec, observer);
      });
  const SignalGuard until_written;
  write_results(outcome, folder.path());
  const std::string words = comparison_text(outcome);
  const std::string unfit = results::describe_not_finite(results::not_finite(to_result(outcome)));
  std::string log =
      fmt::format("umov {}\n{}\n\nmesh: {}, {} unknowns of order {}\ndevice: {}\n", outcome.version,
                  sim.command_line, outcome.mesh, outcome.unknowns, outcome.order, outcome.device);
  if (spec.errors) log += fmt::format("reference: sdirk3 in steps of {:g} s\n", outcome.reference_step);
  log += "\n" + words;
  for (const auto& warning : outcome.warnings) log += "warning: " + warning + "\n";
  write_file(folder.file("log"), printable(worded(log) + "\n" + resolved_toml(recorded, spec)));
  folder.settle(true);
  if (!sim.quiet) fmt::print("{}results: {}\n", printable(words), folder.path());
  if (!unfit.empty()) throw Error(Exit::not_converged, folder.path() + ": " + unfit);
  return outcome.converged() ? Exit::done : Exit::not_converged;
}

}  // namespace umov::eqs
