// Modes of cross-sections in the library.
#include <fmt/format.h>

#include "api/course.hpp"
#include "api/members.hpp"
#include "modes/case/case.hpp"
#include "modes/output/results.hpp"
#include "modes/section.hpp"
#include "modes/solve.hpp"
#include "run/version.hpp"

namespace umov::api {

namespace {

using umov::modes::Case;
using umov::modes::Simulation;

/// [modes], and the tables of the model.
const ParameterTable<Case>& table() {
  static const ParameterTable<Case> whole = [] {
    ParameterTable<Case> t;
    t.add_all(
        modes::parameters(), [](auto& c) -> auto& { return c; });
    t.add_all(
        fdtd::parameters(), [](auto& c) -> auto& { return c.model; });
    return t;
  }();
  return whole;
}

Ready<Simulation> asked_for(const Tree& tree, const Machine& machine) {
  Case c;
  Origins origins;
  table().read(with_machine(tree, machine, table()), c, origins, folder_of(tree));
  modes::parameters().refuse_idle(&c, origins);
  c.model_origins = origins;
  Ready<Simulation> out{modes::finish_case(c, origins), c.machine};
  if (!origins.count("modes.threads")) out.machine.threads = c.model.machine.threads;
  take_over(out.machine, machine);
  return out;
}

results::Result computed(const Ready<Simulation>& asked, bool fields, const Observer& observer) {
  Told told(observer);
  auto outcome = modes::run(asked.sim, asked.machine.threads, [&](const std::string& what, int done, int of) {
    return told.progress(double(done) / of, fmt::format("{}: {} of {} solved", what, done, of));
  });
  outcome.version = umov::run::version();
  for (const auto& text : outcome.warnings) told.warn(text);
  results::Result r = to_result(outcome, fields);
  r.attributes.insert(r.attributes.begin(), {"program", "umov modes"});
  say_converged(r, outcome.converged, "");
  own_voxels(r);
  return r;
}

class Modes : public Family {
 public:
  std::string name() const override { return "modes"; }
  const ParameterList& parameters() const override { return table(); }

  void check(const Tree& tree) const override { asked_for(tree, {}); }

  Plan plan(const Tree& tree, const Machine& machine) const override {
    const auto asked = asked_for(tree, machine);
    const auto s = modes::make_section(asked.sim);
    Plan plan{modes::resolved_toml(asked.sim, asked.machine), 0, {}, {}, machine_of(asked.machine, tree)};
    plan.notes.push_back(fmt::format("cross-section: {} x {} cells of {:.6g}, travel along {}", s.cells(0),
                                     s.cells(1), s.dx(), "xyz"[s.plane.axis]));
    return plan;
  }

  results::Result run(const Tree& tree, const Machine& machine, const Observer& observer) const override {
    const auto asked = asked_for(tree, machine);
    return computed(asked, asked.sim.outputs.fields, observer);
  }

  std::vector<std::unique_ptr<Series>> series(const std::vector<Machine>& seats) const override {
    return series_of(seats, table(), [](const Tree& tree, const Machine& seat, const Observer& observer) {
      return computed(asked_for(tree, seat), false, observer);
    });
  }
};

}  // namespace

const Family& modes() {
  static const Modes family;
  return family;
}

}  // namespace umov::api
