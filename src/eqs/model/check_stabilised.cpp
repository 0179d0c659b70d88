// What stabilised explicit steps cannot do, or not with sense.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"
#include "eqs/integrators/stabilised_scheme.hpp"
#include "eqs/materials/curve_table.hpp"
#include "eqs/model/device_model.hpp"
#include "eqs/model/model_parts.hpp"

namespace umov::eqs {

namespace {

/// Fields that insulation carries, V/m: a curve's decay at any of them is one that a run meets.
constexpr double weak = 1e3, strong = 1e7;

/// A rate, 1/s, that the decay of a material's charges reaches at every field: kappa / eps at the least.
double least_rate(const Material& m) {
  if (!m.permittivity.nonlinear())
    return least_value(m.conductivity, weak, strong) / (eps0 * m.permittivity.value);
  CurveTable table;
  const int eps = table.add(m.permittivity), kappa = table.add(m.conductivity);
  const CurveView at = table.view();
  double least = at(kappa, 0).value / at(eps, 0).value;
  for (double e = weak; e <= strong * (1 + 1e-9); e *= 10)
    least = std::min(least, at(kappa, e).value / at(eps, e).value);
  return least / eps0;
}

/// The material in the model with the fastest decay that is known beforehand, and that rate, 1/s.
std::pair<const Material*, double> fastest(const Problem& p) {
  std::vector<char> there(p.materials.size(), 0);
  for (const int m : p.material) there[m] = 1;
  std::pair<const Material*, double> most{nullptr, 0.0};
  for (std::size_t m = 0; m < there.size(); ++m) {
    if (!there[m]) continue;
    const double rate = least_rate(p.materials[m]);
    if (rate > most.second) most = {&p.materials[m], rate};
  }
  return most;
}

const Material* with_permittivity_curve(const Problem& p) {
  for (const int m : p.material)
    if (p.materials[m].permittivity.nonlinear()) return &p.materials[m];
  return nullptr;
}

void note_idle(const Simulation& s, const Problem& p, std::vector<std::string>& out) {
  const TimeSpec& t = s.time;
  const TimeSpec none;
  std::vector<std::string> idle;
  if (t.spectral_radius != none.spectral_radius && !is_stabilised(t.scheme))
    idle.push_back("time.spectral_radius");
  if (t.power_steps != none.power_steps &&
      (!is_stabilised(t.scheme) || t.spectral_radius != SpectralRadius::power || t.step > 0))
    idle.push_back("time.power_steps");
  if (t.max_stages != none.max_stages && !may_be_stabilised(t.scheme)) idle.push_back("time.max_stages");
  if (!idle.empty())
    out.push_back(fmt::format("without effect: {} ({}); take scheme = \"rkc\" or \"rkl2\"", join(idle, ", "),
                              t.scheme == Scheme::automatic ? "auto has the bound of the materials"
                                                            : "no stabilised steps are taken"));
  const Material* curve = with_permittivity_curve(p);
  if (curve && t.scheme == Scheme::automatic)
    out.push_back(
        fmt::format("scheme = \"auto\" takes implicit steps only: the permittivity of material '{}' depends "
                    "on the field, "
                    "so that stages of rkc would have Newton iterations, too",
                    curve->name));
}

/// Explicit stages keep what decays much faster than the step stable, and hardly damp it: the polynomials of
/// three decay times and more leave up to 0.957 of it a step (rkc, damping 2/13), 0.77 (rkl2), where nothing
/// is left. Controlled steps see that.
void note_damping(const Simulation& s, const std::string& what, double decays,
                  std::vector<std::string>& out) {
  constexpr double resolved = 3;
  if (s.time.step == 0 || decays <= resolved) return;
  const bool rkc = s.time.scheme == Scheme::rkc;
  out.push_back(
      fmt::format("{}: a fixed step of {} is {:.2g} of these times, and {} leaves up to {} % of what decays "
                  "so fast after "
                  "each step (currents are off for tens of steps after the start and every bend); leave out "
                  "time.step, set "
                  "it to {} or less, or take scheme = \"sdirk3\"",
                  what, format_time(s.time.step), decays, rkc ? "rkc" : "rkl2", rkc ? 95 : 77,
                  format_time(s.time.step / decays)));
}

/// Stages of a step that would be of interest in the run.
void check_stages(const Simulation& s, const Problem& p, std::vector<std::string>& out) {
  const auto [material, rate] = fastest(p);
  const double end = s.time.moment().value_or(0);
  if (!material || !(end > 0)) return;
  const Scheme scheme = s.time.scheme;
  const double longest = reach_of(scheme, s.time.max_stages) / rate, steps = end / longest;
  const std::string what = fmt::format("material '{}' loses its charge within {} (eps / kappa)",
                                       material->name, format_time(1 / rate));
  constexpr double most_steps = 1e6;
  if (steps > most_steps)
    throw BadInput(
        fmt::format("{}: explicit steps of {} stages each are {} long there, the run would have {:.1g} of "
                    "them; take scheme = "
                    "\"sdirk3\" or \"auto\", or make it an electrode (kind = \"floating\")",
                    what, s.time.max_stages, format_time(longest), steps));
  constexpr int many = 100;
  const double step = s.time.step > 0 ? s.time.step : s.time.max_step > 0 ? s.time.max_step : end / 100;
  const int stages = stages_for(scheme, step * rate, 1000000);
  if (stages > many)
    out.push_back(fmt::format(
        "{}: an explicit step of {} has {} stages for it, each a {}; {}", what, format_time(step), stages,
        with_permittivity_curve(p) ? "Newton iteration, as permittivities depend on the field"
                                   : "linear solve",
        with_permittivity_curve(p) ? "scheme = \"sdirk3\" passes over it in four"
                                   : "scheme = \"auto\" takes implicit steps where they cost less"));
  note_damping(s, what, step * rate, out);
}

/// What the solves of stages leave over drives their currents, and a curve that rises makes more of it: in a
/// coaxial sector with a microvaristor in steps of 1 ms 1e-3 takes the stages of 1e-10, 1e-2 comes to no end.
void check_tolerance(const Simulation& s, const Problem& p) {
  if (!may_be_stabilised(s.time.scheme) || with_permittivity_curve(p)) return;
  constexpr double loosest = 1e-3;
  if (s.linear.tolerance <= loosest) return;
  for (const int m : p.material)
    if (p.materials[m].conductivity.nonlinear())
      throw BadInput(fmt::format(
          "solver.tolerance {} is too loose for explicit stages beside the curve of material '{}' (what "
          "solves "
          "leave over in the field raises conductivities, which asks for more and more stages, and the run "
          "comes to no end); set it to {} at most, better to {:.0e}",
          shortest(s.linear.tolerance), p.materials[m].name, shortest(loosest),
          s.time.step > 0 ? 1e-6 : 1e-3 * s.time.tolerance));
}

/// Over whole runs, random layers: 39 times a tolerance of 1e-5 (rkl2, in a layer that relaxes within steps),
/// 31 of 1e-6 (rkc), 37, 84, 180 and 400 of 1e-7 to 1e-10.
void note_tight(const Simulation& s, std::vector<std::string>& out) {
  constexpr double tightest = 1e-5;
  if (s.time.step > 0 || s.time.tolerance > tightest * (1 + 1e-9)) return;
  out.push_back(fmt::format(
      "time.tolerance {} is tight for a scheme of second order (its steps become many, and their errors add "
      "up: over a run 39 tolerances were seen at 1e-5, 31 at 1e-6, 84 at 1e-8); take scheme = \"sdirk3\"",
      shortest(s.time.tolerance)));
}

}  // namespace

void check_stabilised(const Simulation& s, Problem& p) {
  if (s.analysis != Analysis::transient) return;
  note_idle(s, p, p.warnings);
  check_tolerance(s, p);
  if (!is_stabilised(s.time.scheme)) return;
  const Material* curve = with_permittivity_curve(p);
  if (s.time.spectral_radius == SpectralRadius::richter && s.time.step > 0)
    throw BadInput(
        "time.spectral_radius = \"richter\" needs steps that are controlled (their errors tell how many "
        "stages "
        "are enough); leave time.step out, or take \"bound\" or \"power\"");
  if (curve && s.time.spectral_radius == SpectralRadius::rayleigh)
    throw BadInput("time.spectral_radius = \"rayleigh\" needs constant permittivities (that of material '" +
                   curve->name + "' depends on the field); take \"bound\" or \"power\"");
  // the default is nobody's wish
  if (curve && p.linear.start_vector != StartVector::last &&
      p.linear.start_vector != LinearSpec{}.start_vector)
    p.warnings.push_back(
        fmt::format("solver.start_vector has no part in steps of {} here (the permittivity of material '{}' "
                    "depends on the "
                    "field: each stage is solved by Newton's method, from the stage before); sdirk3 uses it",
                    s.time.scheme == Scheme::rkc ? "rkc" : "rkl2", curve->name));
  check_stages(s, p, p.warnings);
  note_tight(s, p.warnings);
}

}  // namespace umov::eqs
