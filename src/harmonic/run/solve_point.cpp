// One row of a sweep: the problem on the grid, its fields, and what is taken of them.
#include "harmonic/run/solve_point.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "harmonic/field_views.hpp"
#include "harmonic/method.hpp"
#include "harmonic/run/flat_powers.hpp"

namespace umov::harmonic {

bool wants_fields(const Simulation& sim, double wavelength) {
  return std::any_of(sim.fields_at.begin(), sim.fields_at.end(),
                     [&](double w) { return std::abs(w - wavelength) < 1e-9 * w; });
}

PointSolver::PointSolver(const Simulation& sim, const Plan& plan, const Media& media, const Row& row,
                         const EngineRequest& request, Kept kept)
    : sim_(sim), plan_(plan), row_(row), media_(media.of_cell(sim, row.wavelength)), fields_(kept.fields) {
  problem_ = make_problem(plan.cell, media_, row.wavelength, bloch());
  if (kept.engine)
    kept.engine->change(problem_);
  else
    kept.engine = make_engine_by({sim.method, sim.max_steps, std::move(kept.say), sim.pseudo_time_limit},
                                 problem_, request);
  engine_ = kept.engine.get();
}

bool PointSolver::solve(Polarization polarization, const std::function<bool(long, double)>& hook) {
  polarization_ = polarization;
  const auto layered = layered_field(problem_, polarization, wave_, azimuth());
  SolveOptions options;
  options.tolerance = sim_.tolerance;
  options.max_iterations = sim_.max_iterations;
  options.hook = hook;
  options.whole = wants_fields(sim_, row_.wavelength);
  const auto report = engine_->solve(layered, options, fields_);
  if (report.interrupted) return false;
  fell_back_ = report.fell_back;
  room_full_ = report.room_full;
  trouble_ = report.trouble;
  sent_back_ = std::max(report.sent_back, end_reflection(problem_));
  point_ = {};
  point_.budget = power_budget(plan_.cell, problem_, fields_, wave_);
  point_.iterations = report.iterations;
  point_.residual = report.residual;
  point_.converged = report.converged;
  if (sim_.orders)
    point_.orders = diffraction_orders(problem_, fields_, wave_, media_.front(), media_.back(), azimuth());
  if (problem_.rough_planes() == 0) {
    const layers::FlatResponse exact = exact_powers(plan_.cell);
    point_.grid_error = largest_error(point_.budget, exact);
    take_exact(point_, exact, media_.back(), polarization_);
  } else {
    point_.grid_error = grid_error();
  }
  return true;
}

/// The cell without its textures on this grid against the exact solution.
double PointSolver::grid_error() const {
  LayeredCell flat = plan_.cell;
  for (auto& interface : flat.interfaces) interface = {interface.depth, {}, {}};
  flat.grid.nx = flat.grid.ny = 1;
  const Problem problem = make_problem(flat, media_, row_.wavelength, bloch());
  IncidentWave wave;
  const Fields fields{layered_field(problem, polarization_, wave, azimuth())};
  return largest_error(power_budget(flat, problem, fields, wave), exact_powers(flat));
}

layers::FlatResponse PointSolver::exact_powers(const LayeredCell& flat) const {
  return flat_response(flat_stack(flat, media_), row_.wavelength, angle(), polarization_);
}

std::vector<FieldCut> PointSolver::cuts() const {
  std::vector<FieldCut> out;
  for (std::size_t i = 0; i < plan_.cuts.size(); ++i) {
    const auto& placed = plan_.cuts[i];
    Cut cut =
        take_cut(problem_, fields_, wave_, placed.plane, placed.index, plan_.top, plan_.top + plan_.planes);
    out.push_back({row_, polarization_, int(i), placed.plane, placed.at, cut.rows, cut.columns,
                   std::move(cut.intensity), std::move(cut.absorption)});
  }
  return out;
}

SolvedFields PointSolver::fields(const Outcome& so_far) const {
  return {plan_.cell, problem_, fields_, wave_, so_far, row_, polarization_};
}

}  // namespace umov::harmonic
