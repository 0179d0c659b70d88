// The time domain in the library.
#include <fmt/format.h>

#include "api/course.hpp"
#include "api/members.hpp"
#include "core/stage_times.hpp"
#include "core/timer.hpp"
#include "fdtd/case/case.hpp"
#include "fdtd/grid_text.hpp"
#include "fdtd/monitors/fourier.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/output/images.hpp"
#include "fdtd/output/marks.hpp"
#include "fdtd/output/results.hpp"
#include "fdtd/run/march.hpp"
#include "fdtd/run/prepare.hpp"
#include "fdtd/run/run.hpp"
#include "results/entries.hpp"
#include "run/ranks.hpp"

namespace umov::api {

namespace {

using namespace umov::fdtd;

Ready<Simulation, fdtd::Machine> asked_for(const Tree& tree, const umov::Machine& machine,
                                           bool model_alone = false) {
  auto out = ready_case(fdtd::parameters(), tree, machine, fdtd::finish_case);
  if (out.sim.s_parameters.wanted() && !model_alone)
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

std::vector<double> nodes(const Grid& g, int axis, int count) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i)
    out.push_back(g.graded(axis) ? g.place(axis, i) : g.origin[axis] + i * g.dx);
  return out;
}

std::vector<std::size_t> shape_of(const Int3& cells) {
  return {std::size_t(cells[2]), std::size_t(cells[1]), std::size_t(cells[0])};
}

/// The fields of a march as its engine has them.
results::Result fields_of(const Grid& g, const Engine& engine) {
  results::Result r;
  for (int c = 0; c < components; ++c) {
    if (!has_component(g.mode, c)) continue;
    const FieldBlock block = engine.field(Component(c), {0, 0, 0}, g.cells);
    const char* const text = "field at its own points of the cells, z x y x x";
    if (block.imag.empty()) {
      r.add(word(Component(c)), fdtd_unit::field, text, block.real, shape_of(g.cells));
      continue;
    }
    std::vector<cplx> values;
    for (std::size_t i = 0; i < block.real.size(); ++i) values.emplace_back(block.real[i], block.imag[i]);
    r.add(word(Component(c)), fdtd_unit::field, text, std::move(values), shape_of(g.cells));
  }
  for (int a = 0; a < 3; ++a)
    r.add(axis_name(a), fdtd_unit::length, "low corners of the cells", nodes(g, a, g.cells[a]));
  return r;
}

/// Lets an observer look at the fields of the run itself.
class Looker : public MarchWatcher {
 public:
  explicit Looker(Told& told) : told_(told) {}
  void begin(const Prepared&, const March&) override {}
  long next(long step) const override { return told_.next_moment(step); }
  Answer look(const Prepared& p, const March& m) override {
    if (m.phase == Phase::run)
      told_.show(m.engine->step(), double(m.engine->step()) * p.grid.dt,
                 [&] { return fields_of(p.grid, *m.engine); });
    return Answer::go_on;
  }
  void end(const Prepared& p, const March& m) override { look(p, m); }

 private:
  Told& told_;
};

/// What there is in a case, before it is run.
results::Result model_of(const Simulation& sim) {
  umov::run::Journal journal{umov::run::Observer{}};
  const Prepared p = prepare(sim, {}, journal, *comm::one_rank());
  const FieldBlock eps = sample_permittivity(*p.scene, p.grid, main_frequency(p.sim));
  results::Result r;
  r.attributes = {{"program", "umov fdtd"}};
  r.add("permittivity", "1", "relative, at the highest frequency of the sources, z x y x x", eps.real,
        shape_of(eps.size));
  for (int a = 0; a < 3; ++a) {
    const double step = double(p.grid.cells[a]) / std::max(eps.size[a], 1);
    std::vector<double> middles;
    for (int i = 0; i < eps.size[a]; ++i) middles.push_back(p.grid.place(a, (i + 0.5) * step));
    r.add(axis_name(a), fdtd_unit::length, "middles of the cells", std::move(middles));
  }
  Outcome o;
  o.simulation = p.sim, o.grid = p.grid;
  std::vector<double> places[2];
  std::vector<std::string> names[2];
  for (const Mark& mark : marks_of(o)) {
    auto& list = places[mark.source ? 0 : 1];
    list.insert(list.end(), mark.center.begin(), mark.center.end());
    list.insert(list.end(), mark.size.begin(), mark.size.end());
    names[mark.source ? 0 : 1].push_back(mark.name);
  }
  constexpr const char* groups[] = {"sources", "monitors"};
  for (int k = 0; k < 2; ++k) {
    if (names[k].empty()) continue;
    const std::size_t n = names[k].size();
    r.attributes.emplace_back(groups[k], results::lines_of(names[k]));
    r.add(groups[k], fdtd_unit::length, "middle and size of each", std::move(places[k]), {n, 2, 3});
  }
  return r;
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

results::Result computed(const Tree& tree, const umov::Machine&, const Observer& observer) {
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

  umov::Plan plan(const Tree& tree, const umov::Machine& machine) const override {
    const auto asked = asked_for(tree, machine);
    const fdtd::Plan planned = fdtd::plan(asked.sim, asked.machine, umov::run::seats_of(asked.machine).here);
    const auto& g = planned.outcome.grid;
    umov::Plan out{resolved_toml(asked.sim, asked.machine), double(planned.bytes), planned.outcome.warnings,
                   planned.outcome.notes, machine_of(asked.machine, tree)};
    out.notes.insert(out.notes.begin(),
                     fmt::format("grid: {} x {} x {} cells of {}, time step {:.6g}", g.cells[0], g.cells[1],
                                 g.cells[2], edges_text(g, 6), g.dt));
    return out;
  }

  results::Result run(const Tree& tree, const umov::Machine& machine,
                      const Observer& observer) const override {
    const auto asked = asked_for(tree, machine);
    Told told(observer);
    Looker looker(told);
    Outcome outcome = on_ranks(asked.machine, told, [&](const fdtd::Machine& own, comm::Communicator& comm) {
      if (comm.size() > 1) refuse_moments(observer, "they lie with several ranks");
      RunObserver mine = comm.first() ? api::observer(told) : RunObserver{};
      if (observer.moment) mine.watcher = &looker;
      return fdtd::run(asked.sim, own, mine, comm);
    });
    results::Result result = result_of(outcome);
    own_voxels(result);
    for (int axis = 0; axis < 3; ++axis)
      own_voxels(result, plane_image(outcome, axis), fmt::format("planes/{}/", axis_name(axis)));
    add_fouriers(result, outcome);
    return result;
  }

  results::Result model(const Tree& tree) const override { return model_of(asked_for(tree, {}, true).sim); }

  std::vector<std::unique_ptr<Series>> series(const std::vector<umov::Machine>& seats) const override {
    return series_of(seats, parameters(), computed);
  }
};

}  // namespace

const Family& fdtd() {
  static const Fdtd family;
  return family;
}

}  // namespace umov::api
