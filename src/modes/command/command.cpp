#include "modes/command/command.hpp"

#include <fmt/format.h>

#include "command/command.hpp"
#include "command/parse_case.hpp"
#include "command/perform.hpp"
#include "command/stage_watch.hpp"
#include "modes/case/case.hpp"
#include "modes/output/results.hpp"
#include "modes/solve.hpp"
#include "run/version.hpp"

namespace umov::modes {

namespace {

constexpr const char* usage =
    "umov modes case.toml [options]: guided modes of a cross-section\n\n"
    "The case is one of `umov fdtd` ([domain], [[material]], [[body]]), with the plane of one of its sources "
    "or\n"
    "monitors (--at NAME) or a domain without extent along one axis, and a table [modes]. The manual is\n"
    "docs/guide/modes.md. Options override the file; the file overrides the defaults.\n";

using Request = command::CaseRequest<Case, Simulation>;

Request parse(std::span<const std::string> args) {
  const auto file = [](const std::vector<std::string>& words, const Case&) {
    return command::only_case("modes", words);
  };
  const auto finish = [](Case& c, Origins& origins, const Case&) { return finish_case(c, origins); };
  return command::parse_case<Request>(
      args, parameters(), file, [](const Case&, Case&, Origins&) {}, finish);
}

void print_plan(const Request& request) {
  const Section s = make_section(request.simulation);
  fmt::print("{}\n# cross-section: {} x {} cells of {:.6g}, travel along {}\n",
             resolved_toml(request.simulation, request.given.machine), s.cells(0), s.cells(1), s.dx(),
             "xyz"[s.plane.axis]);
}

Exit execute(const Request& request) {
  const Simulation& sim = request.simulation;
  const run::Machine& machine = request.given.machine;
  command::StageWatch stages({"modes", machine.quiet});
  command::FamilyRun<run::Machine, Outcome> family;
  family.stages = &stages;
  family.stem = [] { return std::string("modes"); };
  family.resolved = [&](const run::Machine& m) { return resolved_toml(sim, m); };
  family.run = [&](const run::Machine& m, const std::function<void()>& begun) {
    if (begun) begun();
    stages.begin("model");
    Outcome o = run(sim, m.threads, [&](const std::string& what, int done, int of) {
      stages.begin(fmt::format("{}: {} of {} solved", what, done, of));
      return true;
    });
    o.version = run::version();
    o.command_line = m.command_line;
    for (const auto& text : o.warnings) warn(text);
    return o;
  };
  family.finish = [] {};
  family.write = [&](const Outcome& o, const std::string& folder, const std::vector<StageTime>& times) {
    write_results(o, sim.outputs, folder, times);
  };
  family.log = log_text;
  family.summary = summary_text;
  family.why_not = [](const Outcome&) { return std::string(); };
  family.unfit = [](const Outcome&) { return std::string(); };
  return command::perform(machine, family);
}

}  // namespace

int command(std::span<const std::string> args) {
  return command::answer("modes", args, usage, parameters(), parse(args), print_plan, execute);
}

}  // namespace umov::modes
