// Looks into a dipole run, between two iterations: particle, residuals, fields as they are.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command/live_arrays.hpp"
#include "dda/command/live_run.hpp"
#include "dda/observables/internal_field.hpp"
#include "dda/output/marks.hpp"

namespace umov::dda {

namespace {

using namespace std::chrono_literals;
using command::seconds_since;

constexpr auto between_curves = 200ms, between_fields = 100ms;
/// Looks at fields may take one part in so many of a run's time.
constexpr double look_share = 30;

view::ArrayInfo residual_info(char label) {
  view::ArrayInfo info;
  info.name = fmt::format("solver/{}/residual", label);
  info.label = fmt::format("residual, {}", label);
  info.text = fmt::format("relative residual norm after each iteration, incidence {}", label);
  info.kind = view::Kind::scalar;
  info.role = "residual";
  info.live = true;
  info.logarithmic = true;
  info.shape = {0, 2};
  info.columns = {{"iteration", "1"}, {"residual", "1"}};
  return info;
}

/// The name in the library, if it has one, and the refractive index (of a tensor that along x).
std::string material_name(const Simulation& sim, std::size_t m) {
  const cplx index = sim.medium * sim.m[m][0];
  const std::string named =
      sim.given && m < sim.given->materials.size() ? sim.given->materials[m].library : "";
  return fmt::format("{}m = {:.4g}{:+.4g}i", named.empty() ? "" : named + ", ", index.real(), index.imag());
}

/// Vectors of the engine at the shown dipoles.
ShownField at_shown(const ShownParticle& p, const std::vector<CVec3>& field) {
  ShownField out;
  out.reserve(p.dipole.size());
  for (const std::size_t i : p.dipole) {
    const CVec3& v = field[i];
    out.push_back({float(v[0].real()), float(v[1].real()), float(v[2].real()), float(v[0].imag()),
                   float(v[1].imag()), float(v[2].imag())});
  }
  return out;
}

bool is_zero(const ShownField& field) {
  return std::all_of(field.begin(), field.end(), [](const auto& e) {
    return std::all_of(e.begin(), e.end(), [](float v) { return v == 0; });
  });
}

}  // namespace

void LiveRun::publish(const Prepared& p) {
  particle_ = std::make_shared<const ShownParticle>(p.particle);
  shown_.clear();
  view::Shelf shelf;
  for (const char label : labels_) {
    Shown& s = shown_[label];
    auto nothing = std::make_shared<ShownFields>();
    nothing->particle = particle_;
    s.newest = nothing;
    for (int f = 0; f < field_parts; ++f) {
      view::ArrayInfo info = field_info(*particle_, label, FieldPart(f));
      if (!where_.empty()) info.text += "; " + where_;
      s.fields.push_back(shelf.add(std::move(info), field_maker(s.newest, FieldPart(f))));
    }
    s.residual = shelf.add(residual_info(label), view::stored_curve({{}, {}}));
  }
  shelf.add(material_info(*particle_), material_maker(particle_));
  points_ = view::labelled_sites(
      [&](int i, int j, int k) {
        return int(
            p.particle.material[std::size_t(i) + std::size_t(p.particle.box[0]) *
                                                     (std::size_t(j) + std::size_t(p.particle.box[1]) * k)]);
      },
      p.particle.box, particle_->origin, p.particle.spacing);
  std::vector<view::Column> more;
  for (const char label : labels_) more.push_back({fmt::format("|E_{}|^2", label), "1"});
  view::ArrayInfo info = view::points_info(points_, "um", "material", more);
  info.name = "results/material in 3D";
  for (std::size_t m = 0; m < p.sim.m.size(); ++m)
    info.regions.push_back({int(m + 1), material_name(p.sim, m)});
  points_.columns.resize(4 + more.size(), std::vector<double>(points_.columns[3].size(), std::nan("")));
  points_id_ = shelf.add_curve(std::move(info), points_.columns);
  const std::lock_guard hold(tables_lock_);
  table_ids_.clear();
  for (const auto& [table, maker] : tables_) table_ids_[table.name] = shelf.add(table, maker);
  view::CaseInfo c;
  c.name = title_;
  c.family = "dda";
  c.state = "running";
  c.folder = p.machine.output_dir;
  c.text = command_line_;
  shelf.catalogue.cases.push_back(std::move(c));
  shelf.catalogue.marks = marks_of(p, p.frame);  // with the arrays: who sees them sees the beam
  view_.hub().publish(std::move(shelf.catalogue), std::move(shelf.makers));
}

std::vector<view::Mark> LiveRun::marks_of(const Prepared& p, const BeamFrame& frame) const {
  std::vector<view::Mark> marks;
  for (const DrawnArrow& d : arrows_of(p.sim, p.particle, frame, labels_)) {
    view::Mark m;
    m.role = d.role;
    m.name = d.name;
    m.text = d.text;
    m.center = d.center;
    m.arrow = d.arrow;
    marks.push_back(std::move(m));
  }
  return marks;
}

bool LiveRun::fields_wanted(const Shown& s) const {
  return std::any_of(s.fields.begin(), s.fields.end(), [&](int id) { return view_.hub().asked(id); });
}

void LiveRun::look(char label, bool held) {
  if (passed_over_) return;
  Shown& s = shown_.at(label);
  const auto now = Clock::now();
  if (held || (now - s.drawn >= between_curves && view_.hub().asked(s.residual))) {
    s.drawn = now;
    refresh_residual(s);
  }
  if (!engine_) return;
  const bool due = now - looked_ >= between_fields && seconds_since(looked_) >= look_share * look_seconds_ &&
                   fields_wanted(s);
  if (!held && !due) return;
  take_field(label, *engine_, scaled_, alpha_);
  looked_ = Clock::now();
  look_seconds_ = std::chrono::duration<double>(looked_ - now).count();
}

void LiveRun::refresh_residual(Shown& s) {
  view_.hub().update(s.residual, view::stored_curve({s.iterations, s.residuals}),
                     (long long)s.residuals.size());
}

void LiveRun::take_field(char label, const Engine& engine, bool scaled, std::span<const CVec3> alpha) {
  const Prepared& p = *prepared_;
  Shown& s = shown_.at(label);
  std::vector<CVec3> field(p.particle.dipoles());
  if (!s.incident) {
    if (group_) tell(*group_, LiveOrder::incident);
    engine.get_incident(field);
    s.incident = std::make_shared<const ShownField>(at_shown(*particle_, field));
  }
  if (group_) tell(*group_, LiveOrder::polarization);
  engine.get_polarization(field);
  if (scaled) {
    std::size_t i = 0;
    for (const auto m : p.particle.material) {
      if (m == 0) continue;
      for (int c = 0; c < 3; ++c) field[i][c] *= std::sqrt(alpha[m - 1][c]);
      ++i;
    }
  }
  auto fields = std::make_shared<ShownFields>();
  fields->particle = particle_;
  fields->internal = at_shown(*particle_, internal_field(field, p.particle, p.sim.m));
  // Some solvers bring x up to date now and then, or at their end: until then there is nothing new to see.
  if (engine_ && (fields->internal == s.newest->internal || is_zero(fields->internal))) return;
  fields->incident = *s.incident;
  fields->step = double(steps_);
  s.newest = std::move(fields);
  for (int f = 0; f < field_parts; ++f)
    view_.hub().update(s.fields[std::size_t(f)], field_maker(s.newest, FieldPart(f)));
}

void LiveRun::solved(const Prepared& p, const Solution& solution) {
  show_solved(p, solution);
  let_go();
}

void LiveRun::show_solved(const Prepared& p, const Solution& solution) {
  const char label = solution.incident.label;
  engine_ = nullptr;
  const auto& history = solution.report.history;
  if (!history.empty())
    view_.tell([&](view::Progress& t) {
      t.step = steps_;
      t.measure = fmt::format("residual {:.2e} -> {:.0e}", history.back(), goal_);
    });
  if (passed_over_) return;
  Shown& s = shown_.at(label);
  if (history.size() > s.residuals.size()) {  // with the start, and what a block has told of another column
    s.residuals = history;
    s.iterations.resize(history.size());
    for (std::size_t i = 0; i < history.size(); ++i) s.iterations[i] = double(i);
  }
  refresh_residual(s);
  s.incident.reset();  // a block's columns differ
  take_field(label, solution.engine, false, {});
  if (p.sim.orientation.average) return;
  show_points();
}

/// |E|^2 at the boxes of the particle, of the polarizations that are solved for.
void LiveRun::show_points() {
  const ShownParticle& p = *particle_;
  auto columns = points_.columns;
  std::size_t column = 4;
  for (const char label : labels_) {
    auto& out = columns.at(column++);
    const Shown& s = shown_.at(label);
    if (s.newest->internal.empty()) continue;
    for (std::size_t i = 0; i < out.size(); ++i) {
      Int3 at;
      for (int a = 0; a < 3; ++a)
        at[a] = std::clamp(int((columns[std::size_t(a)][i] - p.origin[a]) / p.spacing[a]), 0, p.cells[a] - 1);
      const auto slot =
          p.slot[std::size_t(at[0]) +
                 std::size_t(p.cells[0]) * (std::size_t(at[1]) + std::size_t(p.cells[1]) * at[2])];
      if (slot < 0) continue;
      double sum = 0;
      for (const float v : s.newest->internal[std::size_t(slot)]) sum += double(v) * v;
      out[i] = sum;
    }
  }
  view_.hub().update(points_id_, view::stored_curve(std::move(columns)));
}

}  // namespace umov::dda
