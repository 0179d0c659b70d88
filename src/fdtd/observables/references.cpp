// Names of reference monitors, checked and resolved.
#include "fdtd/observables/references.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/text.hpp"
#include "fdtd/kind_names.hpp"
#include "fdtd/model/validate_parts.hpp"
#include "fdtd/monitors/flux.hpp"
#include "fdtd/observables/normalized_flux.hpp"
#include "fdtd/observables/sampling.hpp"

namespace umov::fdtd {
namespace {

using Kind = MonitorSpec::Kind;

std::string unknown_reference(const Simulation& sim, const MonitorSpec& m) {
  std::vector<std::string> names;
  for (const auto& other : sim.monitors)
    if (other.kind == Kind::flux && other.name != m.name) names.push_back(other.name);
  const std::string near = did_you_mean(m.reference, names);
  return fmt::format("its reference '{}' is no monitor of the case (it names a flux monitor); {}",
                     m.reference,
                     !near.empty()   ? near
                     : names.empty() ? "add a flux monitor before the device"
                                     : "there is " + join(names, ", "));
}

double total(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += std::abs(v);
  return sum;
}

/// A place that the reference run lights with less than this share of the brightest, and that the bodies make
/// brighter, sees none of the incident wave.
constexpr double dark = 0.1;

void mark_unlit(Outcome& out) {
  double brightest = 0;
  for (const FluxResult& f : out.of<FluxResult>()) brightest = std::max(brightest, total(f.reference));
  for (FluxResult& f : out.of<FluxResult>()) {
    const double own = total(f.reference);
    f.unlit = !f.balanced && !f.reference.empty() && f.incident.empty() && own < dark * brightest &&
              total(f.flux) > own;
    if (f.unlit)
      out.warnings.push_back(fmt::format(
          "monitor '{}': the reference run sends hardly any flux through it ({:.2g} of the brightest "
          "monitor's): flux / reference is no transmission there, and it is not drawn; give it reference = "
          "\"NAME\" of a flux monitor that the incident wave crosses",
          f.name, own / brightest));
  }
}

/// One warning of all frequencies of all monitors whose T and R are left out.
void warn_of_dark(Outcome& out) {
  std::vector<std::string> monitors;
  std::set<double> frequencies;
  double cutoff = 0;
  for (const FluxResult& f : out.of<FluxResult>()) {
    if (f.balanced) continue;
    const auto dark = without_incident(f);
    bool any = false;
    for (std::size_t i = 0; i < std::min(dark.size(), f.frequency.size()); ++i)
      if (dark[i]) any = true, frequencies.insert(f.frequency[i]);
    if (any) monitors.push_back("'" + f.name + "'");
    if (any) cutoff = std::max(cutoff, f.cutoff);
  }
  if (monitors.empty()) return;
  std::string why =
      "the incident flux there is next to nothing, or faint and less than ten times the error of the "
      "flux's record";
  if (cutoff > 0)
    why += fmt::format("; the oblique plane wave has its cutoff at {:.6g}, grazes above it and is faded out",
                       cutoff);
  std::vector<std::string> listed;
  for (const double f : frequencies) listed.push_back(fmt::format("{:.6g}", f));
  out.warnings.push_back(fmt::format(
      "T and R of {} at the frequenc{} {} are left out ({}); choose frequencies that the source lights, or a "
      "wider pulse{}",
      join(monitors, ", "), listed.size() == 1 ? "y" : "ies", some(listed), why,
      cutoff > 0 ? ", or a smaller bloch wave number" : ""));
}

/// A reflection is doubted above 1 by more than grid and record are wrong by, at frequencies that are lit.
constexpr double most_reflection = 1.1, lit = 0.01;

/// Where the reference run holds waves that come back, its flux is not the incident one.
void warn_of_more_than_all(Outcome& out) {
  for (const FluxResult& f : out.of<FluxResult>()) {
    const auto reflection = normalized(f).reflection;
    if (reflection.empty() || !shows_reflection(f)) continue;
    const auto& one = f.incident.empty() ? f.reference : f.incident;
    double brightest = 0;
    for (const double v : one) brightest = std::max(brightest, std::abs(v));
    std::size_t worst = 0;
    double most = most_reflection;
    for (std::size_t i = 0; i < reflection.size(); ++i)
      if (reflection[i] > most && std::abs(one[i]) > lit * brightest) most = reflection[i], worst = i;
    if (most == most_reflection) continue;
    out.warnings.push_back(fmt::format(
        "monitor '{}': R reaches {:.4g} at frequency {:.6g}, more than comes in (walls or absorbers send "
        "waves "
        "back in the reference run, too, whose flux then is not the incident one; or bodies have gain, or "
        "gather light from beside the monitor); end the domain by pml behind the bodies, or widen the "
        "monitor",
        f.name, most, f.frequency[worst]));
  }
}

}  // namespace

std::string reference_problem(const Simulation& sim, const MonitorSpec& m) {
  if (m.reference.empty()) return "";
  if (!kind_of(m).reads("reference"))
    return fmt::format("a reference is given to a monitor of kind {} ({} are divided by one); leave it out",
                       word(m.kind), join(monitors_that_read("reference"), " and "));
  if (m.reference == m.name)
    return fmt::format("it is its own reference (a flux divided by itself); name another monitor{}",
                       sim.normalize ? ", or leave it out: the reference run's flux is taken" : "");
  const auto other = std::find_if(sim.monitors.begin(), sim.monitors.end(),
                                  [&](const MonitorSpec& o) { return o.name == m.reference; });
  if (other == sim.monitors.end()) return unknown_reference(sim, m);
  if (other->kind != Kind::flux)
    return fmt::format("its reference '{}' is a {} monitor (only a flux can be 1); name a flux monitor",
                       m.reference, word(other->kind));
  if (listed_frequencies(*other) != listed_frequencies(m))
    return fmt::format(
        "its reference '{}' has other frequencies (they are divided one by one); give both the same",
        m.reference);
  return "";
}

void apply_references(Outcome& out) {
  for (FluxResult& f : out.of<FluxResult>()) {
    if (f.normalized_by.empty()) continue;
    for (const FluxResult& other : out.of<FluxResult>())
      if (other.name == f.normalized_by) {
        f.incident = other.reference.empty() ? other.flux : other.reference;
        f.balanced |= other.balanced;
      }
  }
  mark_unlit(out);
  warn_of_dark(out);
  warn_of_more_than_all(out);
}

}  // namespace umov::fdtd
