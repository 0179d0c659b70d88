#include "fdtd/run/divergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace umov::fdtd {

namespace {

/// Fields of this size come from no source a user means, and single precision ends soon after.
constexpr double absurd_field = 1e30;
/// A resonance driven for twice as long has four times the energy, a decaying field less than it had. An
/// instability multiplies its energy by far more than this while the number of steps doubles.
constexpr double too_much = 1e4;

/// The limit belongs to the fastest wave: of vacuum, or of a material lighter than that.
std::string courant_cause(const Simulation& sim, const Scene& scene, const Grid& g) {
  const double limit = g.limiting_edge() / std::sqrt(double(dimensions(g.mode)));
  double slowest = 1;
  std::string name;
  for (const auto& m : scene.materials())
    for (int a = 0; a < 3 && !m.perfect_conductor && !m.dispersive(); ++a)
      if (const double n = std::sqrt(m.eps[a] * m.mu[a]); n < slowest) slowest = n, name = m.name;
  if (g.dt <= limit * slowest * (1 + 1e-12)) return "";
  const std::string where =
      name.empty() ? "" : fmt::format(" in '{}', whose index of {:.4g} is below 1", name, slowest);
  return fmt::format(
      "the time step is {:.4g} times the Courant limit{}; set courant to {:.3g} or less, it is {:g}",
      g.dt / (limit * slowest), where, std::min(1.0, slowest), sim.courant);
}

std::string source_cause(const Problem& p, long step) {
  for (const auto& table : p.tables) {
    std::vector<double> values(std::size_t(table.columns) * std::size_t(std::max(step, 1L)));
    table.fill(0, std::max(step, 1L), values.data());
    if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
      return "a source drives values that are not finite; look at its file or amplitude";
  }
  return "";
}

std::string material_cause(const Simulation& sim, const Scene& scene) {
  bool layers = false;
  for (int a = 0; a < 3; ++a)
    for (const WallKind wall : sim.walls[a]) layers |= sim.size[a] > 0 && wall == WallKind::pml;
  for (const auto& m : scene.materials()) {
    if (m.perfect_conductor) continue;
    for (int a = 0; a < 3; ++a) {
      if (m.sigma[a] < 0 || m.sigma_magnetic[a] < 0)
        return fmt::format("material '{}' has a negative conductivity, which is gain; give zero or more",
                           m.name);
    }
  }
  for (const auto& m : scene.materials())
    if (m.dispersive())
      return fmt::format(
          "{}a pole of material '{}' may be unstable at this time step; lower courant, or refine the grid",
          layers ? "a dispersive body that reaches into an absorbing layer, where waves of negative "
                   "permittivity are amplified, or "
                 : "",
          m.name);
  return "";
}

}  // namespace

std::string DivergenceWatch::check(long step, const FieldWatch& w) {
  if (!std::isfinite(w.max_abs)) return "a field is not finite";
  if (w.max_abs > absurd_field) return fmt::format("a field reached {:.1e}", w.max_abs);
  const double energy = w.electric_energy + w.magnetic_energy;
  if (step <= silent_) state_.largest = std::max(state_.largest, energy);
  if (step > silent_ && state_.largest > 0 && energy > too_much * heaviest_ * state_.largest)
    return fmt::format("the energy is {:.1e} times what the sources brought", energy / state_.largest);
  if (step < settled_) return "";
  if (state_.mark_step > 0 && state_.mark > 0 && energy > too_much * heaviest_ * state_.mark)
    return fmt::format("the energy grew {:.1e} times since step {}", energy / state_.mark, state_.mark_step);
  if (state_.mark_step == 0 || step >= 2 * state_.mark_step) {
    state_.mark_step = step;
    state_.mark = energy;
  }
  return "";
}

double DivergenceWatch::growth(long step, const FieldWatch& w) {
  // Of what the sources brought: below, rounding and what layers leave may do as they like.
  constexpr double noticeable = 1e-6;
  // A pulse lasts some eight periods.
  const long span = std::max(500L, silent_ / 4);
  if (step <= silent_) return 1;
  if (span_end_ == 0) span_end_ = step + span;
  span_ = std::max(span_, w.electric_energy + w.magnetic_energy);
  if (step < span_end_) return grown_;
  if (least_ > 0 && span_ > noticeable * state_.largest)
    grown_ = std::max(grown_, span_ / least_ / heaviest_);
  least_ = least_ > 0 ? std::min(least_, span_) : span_;
  span_ = 0;
  span_end_ = step + span;
  return grown_;
}

std::string likely_cause(const Simulation& sim, const Scene& scene, const Problem& p, long step) {
  for (const std::string& cause :
       {source_cause(p, step), courant_cause(sim, scene, p.grid), material_cause(sim, scene)})
    if (!cause.empty()) return cause;
  return "no cause is known: every material is passive and the time step is within the Courant limit; lower "
         "courant, "
         "or compute in double";
}

}  // namespace umov::fdtd
