// The course of an electroquasistatic run: case, mesh, problem, engine, results.
#include "eqs/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/memory.hpp"
#include "core/signals.hpp"
#include "core/text.hpp"
#include "eqs/run/course.hpp"
#include "front/version.hpp"
#include "mesh/size_estimate.hpp"

namespace umov::eqs {

std::string checkpoint_file(const std::string& folder) {
  return (std::filesystem::path(folder) / "checkpoint").string();
}

ModelSummary summarise(const Problem& p) {
  ModelSummary s;
  s.source = p.mesh.source;
  s.order = p.order;
  s.mesh_nodes = p.mesh.nodes.size();
  s.space_nodes = std::size_t(p.nodes);
  s.elements = p.mesh.tets.size();
  s.unknowns = std::size_t(p.unknowns);
  s.vertex_unknowns = std::size_t(p.vertex_unknowns);
  constexpr double far = std::numeric_limits<double>::infinity();
  s.low = {far, far, far};
  s.high = {-far, -far, -far};
  for (const Vec3& x : p.mesh.nodes)
    for (int a = 0; a < 3; ++a) {
      s.low[a] = std::min(s.low[a], x[a]);
      s.high[a] = std::max(s.high[a], x[a]);
    }
  for (const auto& m : p.materials) s.regions.push_back({m.name, 0, 0, m.nonlinear()});
  s.shortest_edge = far;
  for (std::size_t i = 0; i < p.mesh.tets.size(); ++i) {
    const auto& t = p.mesh.tets[i];
    const auto& x = p.mesh.nodes;
    auto& region = s.regions[std::size_t(p.material[i])];
    ++region.elements;
    region.volume += dot(x[t[1]] - x[t[0]], cross(x[t[2]] - x[t[0]], x[t[3]] - x[t[0]])) / 6;
    for (const auto& e : mesh::tet_edges) {
      const double length = norm(x[t[e[1]]] - x[t[e[0]]]);
      s.shortest_edge = std::min(s.shortest_edge, length);
      s.longest_edge = std::max(s.longest_edge, length);
    }
  }
  for (const auto& region : s.regions)
    if (region.nonlinear) s.nonlinear_elements += region.elements;
  for (const auto& e : p.electrodes) s.conductors.push_back({e.name, 0});
  for (const int e : p.node_electrode)
    if (e >= 0) ++s.conductors[std::size_t(e)].nodes;
  return s;
}

EqsRun::EqsRun(const Simulation& sim, const front::Observer& observer, FrameSink* frames)
    : sim_(sim), observer_(observer), frames_(frames) {
  out_.version = front::version();
  out_.simulation = sim;
}

void EqsRun::warn(const std::string& text) {
  if (std::find(out_.warnings.begin(), out_.warnings.end(), text) != out_.warnings.end()) return;
  out_.warnings.push_back(text);
  if (observer_.warning) observer_.warning(text);
}

void EqsRun::prepare() {
  const auto& geometry = sim_.mesh.geometry;
  stage(geometry && geometry->kind == "parts" ? mesh::announce_elements(*geometry) : "mesh");
  const double start = now();
  problem_ = std::make_unique<Problem>(make_problem(sim_));
  schedule_ = make_schedule(sim_, *problem_);
  for (const auto& text : problem_->warnings) warn(text);
  for (const auto& text : schedule_.warnings) warn(text);
  out_.model = summarise(*problem_);
  for (const auto& m : problem_->materials) out_.material_names.push_back(m.name);
  for (const auto& e : problem_->electrodes) out_.electrode_names.push_back(e.name);
  out_.end = schedule_.end;
  out_.period = schedule_.period;
  place_probes();
  out_.setup_seconds.emplace_back("mesh and model", now() - start);
}

void EqsRun::place_probes() {
  sampler_.emplace(*problem_);
  const auto& o = sim_.outputs;
  if (!o.lines.empty() || !o.points.empty()) locator_.emplace(problem_->mesh);
  for (const auto& line : o.lines) {
    paths_.emplace_back(line, *problem_, *locator_);
    out_.lines.push_back(paths_.back().frame());
  }
  for (const auto& point : o.points) {
    points_.push_back(locator_->find(point.at));
    if (!points_.back())
      throw BadInput("point '" + point.name +
                     "' lies outside the mesh (lengths of a case are in metres); correct its place");
  }
  for (const auto& surface : o.surfaces) {
    surfaces_.emplace_back(surface, *problem_);
    out_.surfaces.push_back(surfaces_.back().frame());
  }
  if (!o.pictures) return;
  auto cuts = o.cuts;
  if (cuts.empty()) {
    auto symmetry = sim_.symmetry;
    if (sim_.mesh.geometry)
      symmetry.insert(symmetry.end(), sim_.mesh.geometry->cut.begin(), sim_.mesh.geometry->cut.end());
    cuts.push_back(middle_cut(*problem_, symmetry));
  }
  for (const auto& cut : cuts) cuts_.emplace_back(cut, *problem_);
}

void EqsRun::require_memory() const {
  const auto bytes = estimate_bytes(*problem_);
  // The card is asked when it is opened.
  const std::size_t here = bytes.host + (sim_.backend == "cuda" ? 0 : bytes.device);
  umov::require_memory(here, "this model", "refine less, take elements of first order or a coarser mesh");
}

Plan EqsRun::plan() {
  prepare();
  Plan plan;
  const auto bytes = estimate_bytes(*problem_);
  plan.device_bytes = bytes.device;
  plan.host_bytes = bytes.host;
  plan.saved_times = schedule_.saved;
  plan.outcome = std::move(out_);
  return plan;
}

void EqsRun::open() {
  stage("set-up");
  const double start = now();
  engine_ = make_engine(*problem_, {sim_.backend, sim_.threads, sim_.device});
  out_.backend = sim_.backend;
  out_.device = engine_->device();
  out_.setup_seconds.emplace_back("engine", now() - start);
}

/// Fields beyond the last row of a table: its curve goes on there, but nobody has measured it.
void EqsRun::warn_of_tables() {
  const auto most = extremes(out_);
  for (std::size_t m = 0; m < most.size(); ++m) {
    const auto& material = problem_->materials[m];
    for (const auto& [curve, name] :
         {std::pair{&material.conductivity, "conductivity"}, {&material.permittivity, "permittivity"}}) {
      const bool used = curve == &material.conductivity ? sim_.analysis != Analysis::electrostatic
                                                        : sim_.analysis != Analysis::conduction;
      if (!used || curve->kind != CurveSpec::Kind::table ||
          !(most[m].field > curve->field.back() * (1 + 1e-6)))
        continue;
      warn(fmt::format(
          "material '{}': |E| reached {:.4g} V/m, beyond its table of {} ({:.4g} V/m; the curve goes on "
          "log-linearly); complete the table",
          material.name, most[m].field, name, curve->field.back()));
    }
  }
}

void EqsRun::collect() {
  if (out_.converged) warn_of_tables();
  out_.solver = engine_->describe();
  out_.device_bytes = engine_->bytes();
  out_.device_peak_bytes = engine_->peak_bytes();
  if (sim_.outputs.capacitance && sim_.analysis != Analysis::conduction) {
    stage("capacitance");
    engine_.reset();  // makes room for those of the capacitances
    out_.capacitance = capacitance(*problem_, {sim_.backend, sim_.threads, sim_.device});
  }
  out_.host_peak_bytes = peak_memory();
}

/// A signal before the solution: no Interrupted, whose folder would be kept.
void EqsRun::stop_if_asked() const {
  if (interrupted())
    throw Error(Exit(128 + received_signal()), "interrupted before the solution began; nothing is kept");
}

Outcome EqsRun::run() {
  prepare();
  stop_if_asked();
  require_memory();
  fingerprint_ = case_fingerprint(sim_);
  open();
  stop_if_asked();
  switch (sim_.analysis) {
    case Analysis::transient:
      go();
      break;
    case Analysis::harmonic:
      solve_harmonic();
      break;
    case Analysis::electrostatic:
    case Analysis::conduction:
      solve_static();
      break;
  }
  collect();
  return std::move(out_);
}

Outcome run(const Simulation& sim, const front::Observer& observer, FrameSink* frames) {
  return EqsRun(sim, observer, frames).run();
}

Plan plan(const Simulation& sim, const std::function<void(const std::string&)>& stage) {
  front::Observer observer;
  observer.stage = stage;
  return EqsRun(sim, observer, nullptr).plan();
}

}  // namespace umov::eqs
