// Time-harmonic cells in the library.
#include <fmt/format.h>

#include <atomic>
#include <mutex>

#include "api/course.hpp"
#include "api/members.hpp"
#include "harmonic/case/case.hpp"
#include "harmonic/field_views.hpp"
#include "harmonic/output/results.hpp"
#include "harmonic/run/run.hpp"

namespace umov::api {

namespace {

using namespace umov::harmonic;

Ready<Simulation> asked_for(const Tree& tree, const Machine& machine) {
  auto out = ready_case(harmonic::parameters(), tree, machine, harmonic::finish_case);
  out.sim.outputs.pictures = false;
  out.machine = umov::run::ranks_on_processors(out.machine);
  return out;
}

/// E and |E|^2 of one row and polarization at the nodes of the whole cell, [z][y][x].
void add_fields(results::Result& r, const SolvedFields& f) {
  const auto& g = f.outcome.grid;
  const std::size_t planes = std::size_t(f.outcome.planes), area = std::size_t(g.nx) * std::size_t(g.ny);
  std::vector<cplx> e(planes * area * 3);
  std::vector<double> intensity(planes * area);
  for (std::size_t z = 0; z < planes; ++z) {
    field_at_nodes(f.problem, f.fields, f.outcome.top + int(z), std::span(e).subspan(3 * area * z, 3 * area));
    intensity_at_nodes(f.problem, f.fields, f.outcome.top + int(z),
                       std::span(intensity).subspan(area * z, area));
  }
  const std::string group = "fields/" + point_name(f.outcome, f.row, f.polarization) + "/";
  const std::vector<std::size_t> shape{planes, std::size_t(g.ny), std::size_t(g.nx)};
  r.add(group + "E", "1", "E at the nodes, |E| of the incident wave is 1, z x y x x x component",
        std::move(e), {shape[0], shape[1], shape[2], 3});
  r.add(group + "intensity", "1", "|E|^2 over that of the incident wave, z x y x x", std::move(intensity),
        shape);
}

/// A run, its rows and its fields on the way into the result; ranks and workers come one at a time.
class Course {
 public:
  Course(const Simulation& sim, Told& told) : sim_(sim), told_(told) {}

  Outcome run(const umov::run::Machine& own, comm::Communicator& comm) {
    Sweep sweep;
    if (!own.output_dir.empty()) sweep.state_file = own.output_dir + "/checkpoint";
    sweep.resume = own.checkpoint.resume;
    sweep.settings = shared_settings(sim_, harmonic::plan(sim_, own).cell.grid);
    sweep.how_to_go_on = "`resume`";
    sweep.stop = [this] { return stopped_.load(); };
    if (sim_.outputs.fields)
      sweep.fields = [this](const SolvedFields& f) {
        const std::lock_guard hold(lock_);
        add_fields(fields, f);
      };
    if (!comm.first()) return harmonic::run(sim_, own, {}, sweep, comm);
    sweep.begun = [this](const harmonic::Plan&, const Outcome& o) { wanted_ = o.wanted_rows; };
    sweep.row = [this](const FinishedRow& row) {
      const std::lock_guard hold(lock_);
      ++rows_;
      tell(fmt::format("{:g} um is done", row.row.wavelength));
    };
    return harmonic::run(sim_, own, observer(), sweep, comm);
  }

  results::Result fields;  ///< arrays of whole cells

 private:
  RunObserver observer() {
    RunObserver o;
    told_.listen(o);
    o.iteration = [this](char polarization, long iteration, double residual) {
      const std::lock_guard hold(lock_);
      told_.show(++iterations_, residual, [&] { return solver_state(iteration, residual); });
      tell(fmt::format("polarization {}: iteration {}, residual {:.2e}", polarization, iteration, residual));
      return !stopped_;
    };
    return o;
  }
  void tell(const std::string& text) {
    if (!told_.progress(wanted_ > 0 ? double(rows_) / double(wanted_) : 0, text)) stopped_ = true;
  }

  const Simulation& sim_;
  Told& told_;
  std::mutex lock_;
  std::atomic<bool> stopped_{false};
  std::size_t rows_ = 0, wanted_ = 0;
  long iterations_ = 0;  ///< of all rows
};

results::Result result_of(const Outcome& o) {
  auto r = to_result(o);
  say_converged(r, o.converged, o.why_not);
  return r;
}

results::Result computed(const Tree& tree, const Machine&, const Observer& observer) {
  const auto [sim, machine] = asked_for(tree, {});
  Told told(observer);
  results::Result r = result_of(Course(sim, told).run(machine, *comm::one_rank()));
  r.voxels = {};
  return r;
}

class Harmonic : public Family {
 public:
  std::string name() const override { return "harmonic"; }
  const ParameterList& parameters() const override { return harmonic::parameters(); }

  void check(const Tree& tree) const override { asked_for(tree, {}); }

  umov::Plan plan(const Tree& tree, const Machine& machine) const override {
    const auto asked = asked_for(tree, machine);
    const harmonic::Plan planned = harmonic::plan(asked.sim, asked.machine);
    return {resolved_toml(asked.sim, asked.machine), planned.memory.device + planned.memory.host,
            planned.warnings, planned.notes, machine_of(asked.machine, tree)};
  }

  results::Result run(const Tree& tree, const Machine& machine, const Observer& observer) const override {
    const auto asked = asked_for(tree, machine);
    Told told(observer);
    Course course(asked.sim, told);
    const Outcome outcome = on_ranks(
        asked.machine, told,
        [&](const umov::run::Machine& own, comm::Communicator& comm) { return course.run(own, comm); });
    results::Result result = result_of(outcome);
    own_voxels(result);
    for (auto& array : course.fields.arrays) result.arrays.push_back(std::move(array));
    return result;
  }

  std::vector<std::unique_ptr<Series>> series(const std::vector<Machine>& seats) const override {
    return series_of(seats, parameters(), computed);
  }
};

}  // namespace

const Family& harmonic() {
  static const Harmonic family;
  return family;
}

}  // namespace umov::api
