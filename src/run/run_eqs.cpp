// The course of an electroquasistatic run: case, mesh, problem, engine, results.
#include "run/run_eqs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/memory.hpp"
#include "core/text.hpp"
#include "run/eqs_course.hpp"
#include "run/version.hpp"

namespace umov::run {

using namespace eqs;

std::string eqs_checkpoint_file(const std::string& folder) {
  return (std::filesystem::path(folder) / "checkpoint").string();
}

namespace {

/// Where a waveform bends, which a step should not run across; 0: nowhere.
double bend_of(const WaveformSpec& w) {
  if (w.kind == WaveformSpec::Kind::step) return w.rise;
  if (w.kind != WaveformSpec::Kind::sine || w.ramp == WaveformSpec::Ramp::none) return 0;
  if (w.ramp_time > 0) return w.ramp_time;
  return (w.ramp == WaveformSpec::Ramp::linear ? 0.5 : 1) / w.frequency;
}

}  // namespace

EqsSchedule make_schedule(const Simulation& sim) {
  EqsSchedule s;
  const auto& t = sim.time;
  s.end = t.end > 0 ? t.end : t.periods / t.frequency;
  const bool sine = std::any_of(sim.electrodes.begin(), sim.electrodes.end(), [](const ElectrodeSpec& e) {
    return e.kind == ElectrodeSpec::Kind::driven && e.waveform.kind == WaveformSpec::Kind::sine;
  });
  if (t.periods > 0 || sine) s.period = 1 / t.frequency;
  if (sim.analysis == Analysis::harmonic) {
    constexpr int phases = 24;
    for (int k = 0; k < phases; ++k) s.saved.push_back(s.period * k / phases);
    return s;
  }
  if (sim.analysis != Analysis::transient) {
    s.end = t.end;
    s.saved = {s.end};
    return s;
  }
  std::vector<double> times = sim.outputs.times;
  double interval = sim.outputs.interval > 0 ? sim.outputs.interval : s.end / 40;
  // Fixed steps are not cut for the sake of fields that nobody asked for at certain times.
  if (t.step > 0 && sim.outputs.interval == 0)
    interval = t.step * std::max(1.0, std::round(interval / t.step));
  for (long k = 0; double(k) * interval < s.end * (1 + 1e-12); ++k) times.push_back(double(k) * interval);
  times.push_back(s.end);
  const auto unique = [&](std::vector<double> list) {
    std::sort(list.begin(), list.end());
    std::vector<double> out;
    for (const double x : list)
      if (out.empty() || x - out.back() > 1e-9 * s.end) out.push_back(x);
    return out;
  };
  s.saved = unique(times);
  std::vector<double> stops(s.saved.begin() + 1, s.saved.end());
  if (s.period > 0)
    for (int k = 1; k * s.period < s.end; ++k) stops.push_back(k * s.period);
  for (const auto& e : sim.electrodes) {
    const double bend = e.kind == ElectrodeSpec::Kind::driven ? bend_of(e.waveform) : 0;
    if (bend > 0 && bend < s.end) stops.push_back(bend);
  }
  s.stops = unique(stops);
  return s;
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

EqsRun::EqsRun(const Simulation& sim, const Observer& observer, FrameSink* frames)
    : sim_(sim), observer_(observer), frames_(frames) {
  out_.version = version();
  out_.simulation = sim;
}

void EqsRun::warn(const std::string& text) {
  if (std::find(out_.warnings.begin(), out_.warnings.end(), text) != out_.warnings.end()) return;
  out_.warnings.push_back(text);
  if (observer_.warning) observer_.warning(text);
}

void EqsRun::prepare() {
  stage("mesh");
  const double start = now();
  problem_ = std::make_unique<Problem>(make_problem(sim_));
  schedule_ = make_schedule(sim_);
  for (const auto& text : problem_->warnings) warn(text);
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

EqsPlan EqsRun::plan() {
  prepare();
  EqsPlan plan;
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

void EqsRun::collect() {
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

Outcome EqsRun::run() {
  prepare();
  require_memory();
  fingerprint_ = case_fingerprint(sim_);
  open();
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

Outcome run_eqs(const Simulation& sim, const Observer& observer, FrameSink* frames) {
  return EqsRun(sim, observer, frames).run();
}

EqsPlan plan_eqs(const Simulation& sim) { return EqsRun(sim, {}, nullptr).plan(); }

}  // namespace umov::run
