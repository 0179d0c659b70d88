// Electroquasistatics in the library.
#include <fmt/format.h>

#include "api/course.hpp"
#include "api/members.hpp"
#include "eqs/case/case.hpp"
#include "eqs/observables/scalar_results.hpp"
#include "eqs/output/results.hpp"
#include "eqs/run/prepare.hpp"
#include "eqs/run/run.hpp"
#include "eqs/run/shared_models.hpp"
#include "eqs/run/solutions.hpp"

namespace umov::api {

namespace {

using namespace umov::eqs;

/// A case, and whether it says that it wants the fields over time, which files have by default.
struct Asked : Ready<Simulation> {
  bool fields = false;
};

Asked asked_for(const Tree& tree, const Machine& machine) {
  Asked out;
  if (const Tree* vary = tree.find("vary"))
    throw BadInput(vary->place + ": [[vary]] is several cases (a run is of one); leave it out");
  const auto finish = [&](const Case& c, const Origins& origins) {
    out.fields = (c.simulation.outputs.vtk && origins.count("output.vtk")) || c.simulation.outputs.vtu;
    return finish_case(c, origins);
  };
  static_cast<Ready<Simulation>&>(out) = ready_case(eqs::parameters(), tree, machine, finish);
  out.sim.outputs.pictures = false;
  return out;
}

/// Lets an observer look at the potentials between steps.
class Looker : public RunWatcher {
 public:
  explicit Looker(Told& told) : told_(told) {}
  void begin(const Prepared&) override {}
  Answer look(const Prepared& p, const Engine& engine, const Outcome& o) override {
    told_.show(o.steps, engine.time(), [&] {
      results::Result r;
      r.add("potential", "V", "at each node", engine.potential());
      std::vector<double> places;
      for (const Vec3& v : p.problem.mesh.nodes) places.insert(places.end(), v.begin(), v.end());
      r.add("nodes", "m", "corners of elements", std::move(places), {p.problem.mesh.nodes.size(), 3});
      return r;
    });
    return Answer::go_on;
  }

 private:
  Told& told_;
};

RunObserver observer(Told& told) {
  RunObserver o;
  told.listen(o);
  o.time = [&told](const TimeReport& r) {
    return told.progress(r.end > 0 ? r.time / r.end : 0,
                         fmt::format("t = {:.6g} s, step {}, {} iterations", r.time, r.steps, r.linear));
  };
  return o;
}

/// The fields at saved times, and the mesh that they are on.
class Frames : public FrameSink {
 public:
  void begin(const Problem& p, const std::vector<double>& times, std::size_t done) override {
    if (done > 0)
      throw BadInput(
          "fields over time were asked for, and those before the run was stopped are not there any more (a "
          "library keeps none in files); set output.vtk = false, or run the case anew");
    times_ = times;
    nodes_ = std::size_t(p.nodes), elements_ = p.mesh.tets.size();
    corners_ = p.order == 2 ? 10 : 4;
    for (const Vec3& v : p.mesh.nodes) points_.insert(points_.end(), v.begin(), v.end());
    if (p.order == 2)
      for (const auto& e : p.edges.ends) {
        const Vec3 v = 0.5 * (p.mesh.nodes[std::size_t(e[0])] + p.mesh.nodes[std::size_t(e[1])]);
        points_.insert(points_.end(), v.begin(), v.end());
      }
    for (std::size_t i = 0; i < elements_; ++i)
      for (int k = 0; k < corners_; ++k) cells_.push_back(double(p.node(int(i), k)));
    material_.assign(p.material.begin(), p.material.end());
  }
  void frame(std::size_t index, const double* potential, const std::vector<float>& field) override {
    potential_.resize(std::max(potential_.size(), (index + 1) * nodes_));
    std::copy_n(potential, nodes_, potential_.begin() + std::ptrdiff_t(index * nodes_));
    field_.resize(std::max(field_.size(), (index + 1) * 3 * elements_));
    std::copy(field.begin(), field.end(), field_.begin() + std::ptrdiff_t(index * 3 * elements_));
  }

  void add_to(results::Result& r) {
    if (nodes_ == 0) return;
    const std::size_t n = potential_.size() / nodes_;
    times_.resize(n);
    r.add("mesh/nodes", "m", "nodes: corners of elements first, then the middles of edges",
          std::move(points_), {nodes_, 3});
    r.add("mesh/elements", "1", "nodes of each tetrahedron, from 0", std::move(cells_),
          {elements_, std::size_t(corners_)});
    r.add("mesh/material", "1", "material of each tetrahedron, from 0", std::move(material_));
    r.add("fields/time", "s", "saved times; harmonic: fractions of the period", std::move(times_));
    r.add("fields/potential", "V", "potential, time x node", std::move(potential_), {n, nodes_});
    r.add("fields/E", "V/m", "field in the middle of each tetrahedron, time x element x component",
          std::move(field_), {n, elements_, 3});
  }

 private:
  std::size_t nodes_ = 0, elements_ = 0;
  int corners_ = 4;
  std::vector<double> points_, cells_, material_, times_, potential_;
  std::vector<float> field_;
};

results::Result result_of(const Outcome& o) {
  auto r = to_result(o);
  say_converged(r, o.converged, o.why_not);
  return r;
}

/// Largest values over the run, which its own table has over time, as single numbers.
void add_peaks(results::Result& r, const Outcome& outcome) {
  for (const auto& s : scalar_results(outcome))
    if (!r.find(s.name) && !r.find("run/" + s.name)) r.add(s.name, s.unit, s.text, s.value);
}

/// Cases of one geometry share its mesh, with all series that were made together.
class EqsSeries : public Series {
 public:
  EqsSeries(Machine seat, std::shared_ptr<SharedModels> models)
      : seat_(std::move(seat)), model_(std::move(models)) {}

  results::Result run(const Tree& tree, const Observer& observer) override {
    Asked asked = asked_for(seated(tree, seat_, eqs::parameters()), {});
    Simulation& sim = asked.sim;
    sim.outputs.vtk = sim.outputs.vtu = false;
    sim.outputs.cuts.clear();
    Told told(observer);
    const RunObserver mine = api::observer(told);
    Journal journal(mine);
    const Prepared p = model_.prepare(sim, asked.machine, mesh_key(sim), journal);
    const Outcome outcome = run_prepared(p, journal, nullptr);
    results::Result r = result_of(outcome);
    r.voxels = {};
    add_peaks(r, outcome);
    return r;
  }

 private:
  Machine seat_;
  HeldModel model_;
};

class Eqs : public Family {
 public:
  std::string name() const override { return "eqs"; }
  const ParameterList& parameters() const override { return eqs::parameters(); }

  void check(const Tree& tree) const override { asked_for(tree, {}); }

  umov::Plan plan(const Tree& tree, const Machine& machine) const override {
    const Asked asked = asked_for(tree, machine);
    const eqs::Plan planned = eqs::plan(asked.sim, asked.machine);
    const auto& m = planned.outcome.model;
    return {resolved_toml(asked.sim, asked.machine),
            double(planned.ranks > 1 ? planned.rank_bytes : planned.device_bytes + planned.host_bytes),
            planned.outcome.warnings,
            {fmt::format("mesh: {} tetrahedra, {} unknowns", m.elements, m.unknowns)},
            machine_of(asked.machine, tree)};
  }

  results::Result run(const Tree& tree, const Machine& machine, const Observer& observer) const override {
    const Asked asked = asked_for(tree, machine);
    Told told(observer);
    Frames frames;
    Looker looker(told);
    if (asked.sim.analysis != Analysis::transient) refuse_moments(observer, "only transient runs have steps");
    const auto on_rank = [&](const umov::run::Machine& own, comm::Communicator& comm) {
      if (comm.size() > 1) refuse_moments(observer, "they lie with several ranks");
      if (!comm.first()) return eqs::run(comm, asked.sim, own);
      RunObserver mine = api::observer(told);
      if (observer.moment) mine.watcher = &looker;
      return eqs::run(comm, asked.sim, own, mine, asked.fields ? &frames : nullptr);
    };
    const Outcome outcome = on_ranks(asked.machine, told, on_rank);
    results::Result result = result_of(outcome);
    own_voxels(result);
    frames.add_to(result);
    return result;
  }

  std::vector<std::unique_ptr<Series>> series(const std::vector<Machine>& seats) const override {
    const auto models = std::make_shared<SharedModels>();
    return series_on(seats, [&](const Machine& seat) { return std::make_unique<EqsSeries>(seat, models); });
  }
};

}  // namespace

const Family& eqs() {
  static const Eqs family;
  return family;
}

}  // namespace umov::api
