// The course of a run in time: case, scene, grid, problem, engine, results.
#include "fdtd/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/memory.hpp"
#include "core/text.hpp"
#include "fdtd/model/conductor_notes.hpp"
#include "fdtd/model/extent.hpp"
#include "fdtd/model/validate.hpp"
#include "fdtd/observables/region.hpp"
#include "fdtd/run/course.hpp"
#include "fdtd/sources/waveform.hpp"
#include "front/version.hpp"

namespace umov::run {

using namespace fdtd;

std::string fdtd_checkpoint_file(const std::string& folder) {
  return (std::filesystem::path(folder) / "checkpoint").string();
}

namespace {

/// Extents that are to reach up to the absorbing layers get numbers: of the computed part, or of the whole
/// domain, mirrored halves included.
template <class Spec>
void bound_extents(Spec& spec, const Simulation& sim, const Grid& grid, bool whole) {
  for (int a = 0; a < 3; ++a) {
    if (!std::isinf(spec.size[a])) continue;
    const auto layers = [&](int side) {
      return grid.active(a) && sim.walls[a][side] == WallKind::pml ? sim.pml.layers : 0;
    };
    double low = grid.origin[a] + layers(0) * grid.dx;
    double high = grid.origin[a] + (grid.active(a) ? grid.cells[a] - layers(1) : 0) * grid.dx;
    if (whole && grid.active(a) && is_mirror(sim.walls[a][0])) low = -high;
    if (whole && grid.active(a) && is_mirror(sim.walls[a][1])) high = -low;
    spec.size[a] = std::max(0.0, high - low);
    spec.center[a] = (low + high) / 2;
  }
}

double main_frequency(const Simulation& sim) {
  double highest = 0;
  for (const auto& source : sim.sources) highest = std::max(highest, peak_frequency(source.waveform));
  return highest;
}

}  // namespace

FdtdRun::FdtdRun(const Simulation& sim, const Observer& observer)
    : given_(sim), sim_(sim), observer_(observer) {
  out_.version = version();
}

void FdtdRun::warn(const std::string& text) {
  if (std::find(out_.warnings.begin(), out_.warnings.end(), text) != out_.warnings.end()) return;
  out_.warnings.push_back(text);
  if (observer_.warning) observer_.warning(text);
}

void FdtdRun::prepare() {
  stage("model");
  apply_picture(sim_);
  scene_ = make_scene(sim_);
  grid_ = make_grid(sim_, *scene_);
  for (auto& source : sim_.sources) {
    // The total-field box of a plane wave knows by itself how near the layers it may come.
    if (source.kind == SourceSpec::Kind::plane_wave)
      for (double& s : source.size) s = std::isinf(s) ? 0 : s;
    bound_extents(source, sim_, grid_, true);
  }
  stop_ = plan_stop(sim_, *scene_, grid_);
  sim_.stop = stop_.stop;
  out_.simulation = sim_;
  out_.grid = grid_;
  out_.notes = trust_notes(sim_, grid_);
  take_findings();
}

void FdtdRun::take_findings() {
  Simulation bounded = sim_;
  for (auto& monitor : bounded.monitors) bound_extents(monitor, sim_, grid_, false);
  const auto findings = validate(bounded, *scene_, grid_);
  // Warnings first: they may say why the run cannot start.
  for (const auto& finding : findings)
    if (finding.severity == Finding::Severity::note)
      out_.notes.push_back(finding.message);
    else if (finding.severity == Finding::Severity::warning ||
             (finding.severity == Finding::Severity::stop && sim_.force))
      warn(finding.message);
  for (const auto& finding : findings)
    if (finding.severity == Finding::Severity::refusal)
      throw BadInput(finding.message);
    else if (finding.severity == Finding::Severity::stop && !sim_.force)
      throw BadInput(finding.message + "; --force goes on in spite of it");
}

void FdtdRun::require_memory() const {
  if (sim_.backend == "cuda") return;  // the card is asked when it is opened
  umov::require_memory(estimate_bytes(sim_, *scene_, grid_), "this grid",
                       "use a coarser grid (resolution), a smaller domain or single precision");
}

FdtdPlan FdtdRun::plan() {
  prepare();
  FdtdPlan plan;
  plan.stop = stop_.text;
  plan.limit = stop_.limit;
  plan.fixed = stop_.fixed;
  plan.bytes = estimate_bytes(sim_, *scene_, grid_);
  plan.outcome = std::move(out_);
  return plan;
}

Outcome FdtdRun::run() {
  prepare();
  require_memory();
  fingerprint_ = case_fingerprint(given_);
  if (sim_.checkpoint.resume) {
    resumed_ = load_checkpoint(fdtd_checkpoint_file(sim_.output_dir), fingerprint_);
    reference_ = std::move(resumed_->reference);
  }
  if (sim_.normalize && !(resumed_ && resumed_->phase == 1)) {
    Passage p = open(0);
    stage("reference run");
    go(p);
    if (!p.converged) warn(fmt::format("the reference run did not reach its end: {}", p.stop_reason));
    reference_ = p.monitors->reference(*p.engine);
  }
  Passage p = open(1);
  stage(sim_.normalize ? "run" : "");
  go(p);
  // So that the run can be given more time.
  if (!p.converged && checkpoints_on()) save(p);
  stage("results");
  collect(p, sim_.normalize ? &reference_ : nullptr);
  return std::move(out_);
}

FdtdRun::Passage FdtdRun::open(int phase) {
  Passage p;
  p.phase = phase;
  stage("grid");
  if (phase == 0) p.own_scene = make_scene(sim_, true);
  p.scene = phase == 0 ? p.own_scene.get() : scene_.get();
  pose(p);
  if (phase == 1) report_conductors(p.problem);
  p.engine = make_engine(p.problem, {sim_.backend, sim_.threads, sim_.device, sim_.tuned});
  // The engine has its own copy; only the sources' functions are needed, should the run diverge.
  for (auto& list : p.problem.material) std::vector<std::uint16_t>().swap(list);
  for (auto& list : p.problem.tensor) std::vector<TensorTerm>().swap(list);
  p.rule.emplace(stop_, grid_);
  const auto step_of = [&](double time) {
    return time < grid_.dt * double(stop_.limit) ? std::lround(time / grid_.dt) : stop_.limit;
  };
  double heaviest = 1;
  for (const auto& m : p.scene->materials()) heaviest = std::max({heaviest, m.eps[0], m.eps[1], m.eps[2]});
  p.divergence.emplace(step_of(stop_.settled_at), step_of(stop_.silent_at), heaviest);
  if (phase == 1) p.film.emplace(sim_, grid_, stop_.limit, stop_.fixed);
  return p;
}

void FdtdRun::report_conductors(const Problem& problem) {
  if (const std::string note = conductor_note(problem); !note.empty()) out_.notes.push_back(note);
  if (const std::string text = thin_conductor_warning(problem); !text.empty()) warn(text);
  for (const std::string& doubt : problem.doubts) warn(doubt);
}

void FdtdRun::pose(Passage& p) const {
  p.problem.grid = grid_;
  p.problem.precision = sim_.precision;
  set_walls(sim_, p.problem);
  paint(sim_, *p.scene, p.problem);
  add_sources(sim_, *p.scene, p.problem);
  p.monitors.emplace(sim_, *p.scene, p.problem);
}

void FdtdRun::collect(Passage& p, const ReferenceFields* reference) {
  out_.simulation = sim_;
  out_.steps = p.engine->step();
  out_.time = double(out_.steps) * grid_.dt;
  out_.stop_reason = p.stop_reason;
  out_.converged = p.converged;
  out_.device_bytes = p.engine->bytes();
  out_.seconds = p.seconds;
  out_.cells_per_second = p.seconds > 0 ? double(grid_.cell_count()) * double(out_.steps) / p.seconds : 0;
  out_.backend = sim_.backend;
  out_.device = p.engine->device();
  const std::size_t said = out_.warnings.size();
  p.monitors->collect(*p.engine, reference, out_);
  for (std::size_t i = said; observer_.warning && i < out_.warnings.size(); ++i)
    observer_.warning(out_.warnings[i]);
  out_.snapshots = std::move(p.film->reel().snapshots);
  out_.frames = std::move(p.film->reel().frames);
  keep_fields(*p.engine);
  out_.permittivity = sample_permittivity(*scene_, grid_, main_frequency(sim_));
}

void FdtdRun::keep_fields(const Engine& engine) {
  std::vector<Component> fields = sim_.outputs.fields;
  if (fields.empty()) fields = recorded_components({}, grid_.mode);
  const Int3 n = grid_.cells;
  for (const Component c : fields) {
    if (!has_component(grid_.mode, c)) {
      warn(fmt::format("field {} is asked for, which this run does not have", component_name(c)));
      continue;
    }
    if (dimensions(grid_.mode) < 3) {
      out_.final_fields.emplace_back(c, engine.field(c, {0, 0, 0}, n));
      continue;
    }
    for (int a = 2; a >= 0; --a) {
      Int3 low{0, 0, 0}, high = n;
      low[a] = n[a] / 2;
      high[a] = low[a] + 1;
      out_.final_fields.emplace_back(c, engine.field(c, low, high));
    }
  }
}

Outcome run_fdtd(const Simulation& sim, const Observer& observer) { return FdtdRun(sim, observer).run(); }

FdtdPlan plan_fdtd(const Simulation& sim) { return FdtdRun(sim, {}).plan(); }

}  // namespace umov::run
