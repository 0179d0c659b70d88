// The discrete dipole approximation in the library.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "api/course.hpp"
#include "api/members.hpp"
#include "dda/case/many.hpp"
#include "dda/output/result.hpp"
#include "dda/run/accuracy.hpp"
#include "dda/run/kept_engine.hpp"
#include "dda/run/prepare.hpp"
#include "dda/run/run.hpp"

namespace umov::api {

namespace {

using namespace umov::dda;

using Asked = Ready<Simulation, dda::Machine>;

Asked asked_for(const Tree& tree, const umov::Machine& machine) {
  Asked out = ready_case(dda::parameters(), tree, machine, [](Case& c, const Origins& origins) {
    const auto cases = finish_cases(c, origins);
    if (cases.size() > 1)
      throw BadInput(
          fmt::format("{}: '{}': a list of values is several cases (a run is of one); give single values",
                      origins.at(c.lists.begin()->first), c.lists.begin()->first));
    Simulation one = cases.front();
    one.outputs.hdf5 = one.outputs.hdf5 && origins.count("output.hdf5");  // files have fields by default
    return one;
  });
  out.sim.outputs.pictures = false;
  dda::Machine& own = out.machine;
  own.checkpoint_dir = machine.checkpoint;
  if (machine.checkpoint.empty())
    own.checkpoint_kind = CheckpointKind::none;
  else if (own.checkpoint_kind == CheckpointKind::none)
    own.checkpoint_kind = CheckpointKind::regular;
  return out;
}

/// The residual falls from 1 to its goal, by powers of ten.
RunObserver observer(Told& told, double goal) {
  RunObserver o;
  told.listen(o);
  o.iteration = [&told, goal, count = 0L](char label, long iteration, double residual) mutable {
    told.show(++count, residual, [&] { return solver_state(iteration, residual); });
    const double done = residual > 0 && goal > 0 && goal < 1 ? std::log(residual) / std::log(goal) : 0;
    return told.progress(
        done, fmt::format("polarization {}: iteration {}, residual {:.2e}", label, iteration, residual));
  };
  return o;
}

/// The grids of a case with an accuracy; all ranks follow the first.
Outcome run_grids(const Simulation& sim, const dda::Machine& machine, const RunObserver& observer,
                  comm::Communicator& comm) {
  if (!comm.first()) {
    follow_accurate(sim, machine, {}, comm);
    return {};
  }
  AccuracyObserver grids;
  grids.observer = [&](int) { return observer; };
  return run_accurate(sim, machine, grids, &comm);
}

/// Fields per dipole, which files of ADDA's have and images have not.
void add_dipoles(results::Result& r, const Outcome& o) {
  for (const auto& p : o.polarizations) {
    std::vector<cplx> incident;
    for (const auto& e : p.incident) incident.insert(incident.end(), e.begin(), e.end());
    if (!incident.empty())
      r.add("dipoles/incident_" + p.name(), "1", "incident field E / E0 at each dipole", std::move(incident),
            {p.incident.size(), 3});
    std::vector<double> force;
    for (const auto& f : p.force) force.insert(force.end(), f.begin(), f.end());
    if (!force.empty())
      r.add("dipoles/force_" + p.name(), "um^2", "force on each dipole, in the units of ADDA",
            std::move(force), {p.force.size(), 3});
  }
}

/// The particle on its lattice, about its middle.
results::Result model_of(const shapes::Particle& particle) {
  results::Result r;
  r.attributes = {{"program", "umov dda"}};
  const auto n = [&](int axis) { return std::size_t(particle.box[std::size_t(axis)]); };
  r.add("material", "1", "of each dipole, 0 outside, z x y x x",
        std::vector<float>(particle.material.begin(), particle.material.end()), {n(2), n(1), n(0)});
  for (int a = 0; a < 3; ++a) {
    std::vector<double> places;
    for (std::size_t i = 0; i < n(a); ++i)
      places.push_back((double(i) - 0.5 * double(n(a) - 1)) * particle.spacing[std::size_t(a)]);
    r.add(std::string(1, "xyz"[a]), "um", "middles of the dipoles", std::move(places));
  }
  return r;
}

results::Result result_of(const Outcome& outcome) {
  auto r = to_result(outcome);
  say_converged(r, outcome.converged,
                "a solve has not reached its residual; raise solver.max_iterations or its epsilon");
  return r;
}

/// Cases that differ in the direction of incidence alone share the engine.
class DdaSeries : public Series {
 public:
  explicit DdaSeries(umov::Machine seat) : seat_(std::move(seat)) {}
  results::Result run(const Tree& tree, const Observer& observer) override {
    const auto [sim, machine] = asked_for(seated(tree, seat_, dda::parameters()), {});
    Told told(observer);
    const RunObserver mine = api::observer(told, sim.solver.epsilon);
    const auto outcome = sim.accuracy > 0 ? run_grids(sim, machine, mine, *comm::one_rank())
                                          : dda::run(sim, machine, mine, nullptr, nullptr, &kept_);
    kept_.end_case();
    results::Result r = result_of(outcome);
    r.voxels = {};
    return r;
  }

 private:
  umov::Machine seat_;
  KeptEngine kept_;
};

class Dda : public Family {
 public:
  std::string name() const override { return "dda"; }
  const ParameterList& parameters() const override { return dda::parameters(); }

  void check(const Tree& tree) const override { asked_for(tree, {}); }

  Plan plan(const Tree& tree, const umov::Machine& machine) const override {
    const Asked asked = asked_for(tree, machine);
    const Outcome planned = dda::plan(asked.sim, asked.machine);
    const auto add = [](double sum, const MemoryUse& use) { return sum + double(use.bytes); };
    return {resolved_toml(asked.sim, asked.machine),
            std::accumulate(planned.memory.begin(), planned.memory.end(), 0.0, add),
            planned.warnings,
            {},
            machine_of(asked.machine, tree)};
  }

  results::Result run(const Tree& tree, const umov::Machine& machine,
                      const Observer& observer) const override {
    const Asked asked = asked_for(tree, machine);
    const Simulation& sim = asked.sim;
    Told told(observer);
    const Outcome outcome =
        on_ranks(asked.machine, told, [&](const dda::Machine& own, comm::Communicator& comm) {
          const RunObserver mine = comm.first() ? api::observer(told, sim.solver.epsilon) : RunObserver{};
          return sim.accuracy > 0 ? run_grids(sim, own, mine, comm)
                                  : dda::run(sim, own, mine, nullptr, &comm);
        });
    results::Result result = result_of(outcome);
    own_voxels(result);
    add_dipoles(result, outcome);
    return result;
  }

  results::Result model(const Tree& tree) const override {
    const Asked asked = asked_for(tree, {});
    umov::run::Journal journal{umov::run::Observer{}};
    TimerTable timers;
    return model_of(prepare(asked.sim, asked.machine, journal, timers).particle);
  }

  std::vector<std::unique_ptr<Series>> series(const std::vector<umov::Machine>& seats) const override {
    return series_on(seats, [](const umov::Machine& seat) { return std::make_unique<DdaSeries>(seat); });
  }
};

}  // namespace

const Family& dda() {
  static const Dda family;
  return family;
}

}  // namespace umov::api
