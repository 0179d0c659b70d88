// What stabilised explicit steps cannot do, or not with sense.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"
#include "eqs/device_model.hpp"
#include "eqs/model_parts.hpp"
#include "eqs/stabilised_scheme.hpp"

namespace umov::eqs {

namespace {

/// The material in the model with the fastest decay that is known beforehand, and that rate, 1/s.
std::pair<const Material*, double> fastest(const Problem& p) {
  std::vector<char> there(p.materials.size(), 0);
  for (const int m : p.material) there[m] = 1;
  std::pair<const Material*, double> most{nullptr, 0.0};
  for (std::size_t m = 0; m < there.size(); ++m) {
    const Material& material = p.materials[m];
    if (!there[m] || material.nonlinear()) continue;
    const double rate = material.conductivity.value / (eps0 * material.permittivity.value);
    if (rate > most.second) most = {&material, rate};
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
    out.push_back(
        fmt::format("{}: an explicit step of {} has {} stages for it, each a linear solve; scheme = \"auto\" "
                    "takes implicit "
                    "steps where they cost less",
                    what, format_time(step), stages));
}

}  // namespace

void check_stabilised(const Simulation& s, Problem& p) {
  if (s.analysis != Analysis::transient) return;
  note_idle(s, p, p.warnings);
  if (!is_stabilised(s.time.scheme)) return;
  const Material* curve = with_permittivity_curve(p);
  if (curve && s.time.spectral_radius == SpectralRadius::heuristic)
    throw BadInput("time.spectral_radius = \"heuristic\" needs constant permittivities (that of material '" +
                   curve->name + "' depends on the field); take \"bound\" or \"power\"");
  if (curve && p.linear.start_vector != StartVector::last)
    p.warnings.push_back(
        fmt::format("solver.start_vector has no part in steps of {} here (the permittivity of material '{}' "
                    "depends on the "
                    "field: each stage is solved by Newton's method, from the stage before); sdirk3 uses it",
                    s.time.scheme == Scheme::rkc ? "rkc" : "rkl2", curve->name));
  check_stages(s, p, p.warnings);
}

}  // namespace umov::eqs
