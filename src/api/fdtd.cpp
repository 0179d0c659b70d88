// The time domain in the library.
#include <fmt/format.h>

#include "api/course.hpp"
#include "api/members.hpp"
#include "core/stage_times.hpp"
#include "core/timer.hpp"
#include "fdtd/case/case.hpp"
#include "fdtd/monitors/fourier.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/output/images.hpp"
#include "fdtd/output/results.hpp"
#include "fdtd/run/run.hpp"
#include "results/entries.hpp"
#include "run/ranks.hpp"

namespace umov::api {

namespace {

using namespace umov::fdtd;

Ready<Simulation> asked_for(const Tree& tree, const Machine& machine) {
  auto out = ready_case(fdtd::parameters(), tree, machine, fdtd::finish_case);
  if (out.sim.s_parameters.wanted())
    throw BadInput(
        "`s_parameters` asks for several runs (here one case is one run); use `umov fdtd`, or set "
        "s_parameters.on = false");
  out.sim.outputs.pictures = out.sim.outputs.animation = false;
  out.machine = umov::run::ranks_on_processors(out.machine);
  return out;
}

RunObserver observer(Told& told) {
  RunObserver o;
  told.listen(o);
  o.step = [&told](const StepReport& r) {
    return told.progress(r.limit > 0 ? double(r.step) / double(r.limit) : 0,
                         fmt::format("step {} of {}{}{}{}", r.step, r.fixed ? "" : "at most ", r.limit,
                                     r.measure.empty() ? "" : ", ", r.measure));
  };
  return o;
}

/// Volumes of Fourier monitors, [frequency][z][y][x], which leave the outcome.
void add_fouriers(results::Result& r, Outcome& o) {
  UniqueNames unique;
  for (auto& f : o.of<FourierResult>()) {
    const std::string group = "fourier/" + unique(f.name) + "/";
    const std::vector<std::size_t> shape{f.frequency.size(), std::size_t(f.size[2]), std::size_t(f.size[1]),
                                         std::size_t(f.size[0])};
    r.add(group + "frequency", fdtd_unit::frequency, "frequency, the first axis of the fields", f.frequency);
    r.add(group + "origin", fdtd_unit::length, "the first point, nodes of the grid",
          std::vector<double>(f.origin.begin(), f.origin.end()));
    for (std::size_t c = 0; c < f.components.size(); ++c)
      r.add(group + word(f.components[c]), fdtd_unit::spectrum,
            "Fourier transform of the field, frequency x z x y x x", std::move(f.values[c]), shape);
  }
}

results::Result result_of(const Outcome& o) {
  auto r = to_result(o);
  say_converged(r, o.converged, o.stop_reason);
  return r;
}

/// Seconds of the stages that a run tells of; its steps are told as "" or by the names of a pair's runs.
class StageClock {
 public:
  void begin(const std::string& stage) {
    end();
    stage_ = stage.empty() ? "steps" : stage.substr(0, stage.find(':'));  // "monitors: 1 of 3 solved"
    watch_ = Stopwatch();
  }
  void end() {
    if (!stage_.empty()) add_seconds(times_, stage_, watch_.seconds());
    stage_.clear();
  }
  const std::vector<StageTime>& times() const { return times_; }

 private:
  std::string stage_;
  Stopwatch watch_;
  std::vector<StageTime> times_;
};

results::Result computed(const Tree& tree, const Machine&, const Observer& observer) {
  const auto [sim, machine] = asked_for(tree, {});
  Told told(observer);
  StageClock clock;
  RunObserver heard = api::observer(told);
  heard.stage = [&clock, before = heard.stage](const std::string& name) {
    if (before) before(name);
    clock.begin(name);
  };
  results::Result r = result_of(fdtd::run(sim, machine, heard));
  clock.end();
  results::add_timings(r, clock.times());
  r.voxels = {};
  return r;
}

class Fdtd : public Family {
 public:
  std::string name() const override { return "fdtd"; }
  const ParameterList& parameters() const override { return fdtd::parameters(); }

  void check(const Tree& tree) const override { asked_for(tree, {}); }

  umov::Plan plan(const Tree& tree, const Machine& machine) const override {
    const auto asked = asked_for(tree, machine);
    const fdtd::Plan planned = fdtd::plan(asked.sim, asked.machine, umov::run::seats_of(asked.machine).here);
    const auto& g = planned.outcome.grid;
    umov::Plan out{resolved_toml(asked.sim, asked.machine), double(planned.bytes), planned.outcome.warnings,
                   planned.outcome.notes, machine_of(asked.machine, tree)};
    out.notes.insert(out.notes.begin(), fmt::format("grid: {} x {} x {} cells of {:.6g}, time step {:.6g}",
                                                    g.cells[0], g.cells[1], g.cells[2], g.dx, g.dt));
    return out;
  }

  results::Result run(const Tree& tree, const Machine& machine, const Observer& observer) const override {
    const auto asked = asked_for(tree, machine);
    Told told(observer);
    Outcome outcome =
        on_ranks(asked.machine, told, [&](const umov::run::Machine& own, comm::Communicator& comm) {
          return fdtd::run(asked.sim, own, comm.first() ? api::observer(told) : RunObserver{}, comm);
        });
    results::Result result = result_of(outcome);
    own_voxels(result);
    for (int axis = 0; axis < 3; ++axis)
      own_voxels(result, plane_image(outcome, axis), fmt::format("planes/{}/", axis_name(axis)));
    add_fouriers(result, outcome);
    return result;
  }

  std::vector<std::unique_ptr<Series>> series(const std::vector<Machine>& seats) const override {
    return series_of(seats, parameters(), computed);
  }
};

}  // namespace

const Family& fdtd() {
  static const Fdtd family;
  return family;
}

}  // namespace umov::api
