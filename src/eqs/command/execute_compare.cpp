#include "eqs/command/execute_compare.hpp"

#include <fmt/format.h>

#include "command/line_watch.hpp"
#include "command/perform.hpp"
#include "command/stage_watch.hpp"
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

namespace {

std::string log_of(const Comparison& o, const ComparisonSpec& spec) {
  std::string log = fmt::format("umov {}\n{}\n\nmesh: {}, {} unknowns of order {}\ndevice: {}\n", o.version,
                                o.machine.command_line, o.mesh, o.unknowns, o.order, o.device);
  if (spec.errors) log += fmt::format("reference: sdirk3 in steps of {:g} s\n", o.reference_step);
  log += "\n" + comparison_text(o);
  for (const auto& warning : o.warnings) log += "warning: " + warning + "\n";
  return log;
}

}  // namespace

Exit execute(const Simulation& sim, const run::Machine& machine, const ComparisonSpec& spec) {
  using Watch = command::LineWatch<TimeProgress>;
  Watch watch;
  command::StageWatch stages(command::StageWatch::only_timed);
  RunObserver observer;
  watch.listen(observer);
  observer.stage = [&](const std::string& name) {
    watch.finish();
    stages.begin(name);
    if (!machine.quiet && !name.empty()) complain("eqs: " + name);
  };
  observer.time = [&](const TimeReport& r) {
    const auto options = [&](const std::string&) {
      TimeProgress::Options p;
      p.label = "eqs";
      p.quiet = machine.quiet;
      return p;
    };
    watch.line(options).update(r.time, r.end, fmt::format("step {}  CG {}", r.steps, r.linear));
    return !interrupted();
  };
  command::FamilyRun<run::Machine, Comparison> family;
  family.stages = &stages;
  family.stem = [&] { return folder_stem(sim) + "_methods"; };
  family.resolved = [&](const run::Machine& m) { return resolved_toml(sim, m, spec); };
  family.run = [&](const run::Machine&, const std::function<void()>& begun) {
    if (begun) begun();
    return compare(sim, machine, spec, observer);
  };
  family.finish = [&] { watch.finish(); };
  family.write = [](const Comparison& o, const std::string& folder, const std::vector<StageTime>& times) {
    write_results(o, folder, times);
  };
  family.log = [&](const Comparison& o) { return log_of(o, spec); };
  family.summary = comparison_text;
  family.why_not = [](const Comparison&) { return "a method has not come to the end"; };
  family.unfit = [](const Comparison& o) {
    return results::describe_not_finite(results::not_finite(to_result(o)));
  };
  return command::perform(machine, family);
}

}  // namespace umov::eqs
