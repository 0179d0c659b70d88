// The record of an electroquasistatic run as text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "eqs/analysis_name.hpp"
#include "eqs/command/execute.hpp"
#include "eqs/integrators/stabilised_scheme.hpp"
#include "eqs/observables/peak_edges.hpp"

namespace umov::eqs {

namespace {

std::string place(const Vec3& x) { return fmt::format("({:.5g}, {:.5g}, {:.5g}) m", x[0], x[1], x[2]); }

const char* scheme_name(Scheme s) {
  switch (s) {
    case Scheme::sdirk3:
      return "SDIRK3(2)";
    case Scheme::esdirk3:
      return "ESDIRK3(2)";
    case Scheme::implicit_euler:
      return "implicit Euler";
    case Scheme::rkc:
      return "RKC";
    case Scheme::rkl2:
      return "RKL2";
    case Scheme::automatic:
      break;
  }
  return "SDIRK3(2) and RKC in turn";
}

/// What stabilised steps did: how many, of how many stages, what the fastest decay was.
std::string stabilised_lines(const Outcome& o) {
  if (!may_be_stabilised(o.simulation.time.scheme)) return {};
  long steps = 0, cut = 0, changes = 0;
  int fewest = 0, most = 0, last = -1;
  double slowest = 0, fastest = 0;
  for (std::size_t k = 1; k < o.history.size(); ++k) {
    const Record& r = o.history[k];
    if (last >= 0 && last != (r.stages > 0)) ++changes;
    last = r.stages > 0;
    if (r.stages == 0) continue;
    fewest = steps == 0 ? r.stages : std::min(fewest, r.stages);
    slowest = steps == 0 ? r.rate : std::min(slowest, r.rate);
    most = std::max(most, r.stages);
    fastest = std::max(fastest, r.rate);
    cut += r.cut;
    ++steps;
  }
  if (steps == 0) return "no stabilised step was taken\n";
  std::string out = fmt::format(
      "stabilised steps: {} of {}, {} stages in all, {} to {} a step; fastest decay {:.3g} to {:.3g} 1/s",
      steps, o.steps, o.stages, fewest, most, slowest, fastest);
  if (o.unstable > 0) out += fmt::format("; {} left their stability region and were done again", o.unstable);
  if (cut > 0) out += fmt::format("; {} cut short by max_stages = {}", cut, o.simulation.time.max_stages);
  if (o.simulation.time.scheme == Scheme::automatic)
    out += fmt::format("; {} changes of the method", changes);
  return out + "\n";
}

/// What the search for the steady state took, and how well it closes.
std::string steady_line(const Outcome& o) {
  const SteadyState& s = o.steady;
  if (s.periods == 0) return {};
  return fmt::format(
      "steady state: {:g} periods marched{}; it closes to {:.2g} of the largest field, error {:.2g}\n",
      s.periods, s.halves ? ", by halves (after half a period voltages have the other sign)" : "", s.residual,
      s.error);
}

std::string electrode_lines(const Outcome& o) {
  std::string out;
  const auto& last = o.history.back().seen;
  for (std::size_t e = 0; e < o.electrode_names.size(); ++e) {
    const auto value = [&](const std::vector<double>& list) { return e < list.size() ? list[e] : 0.0; };
    double most = 0;
    for (std::size_t k = o.first_lasting(); k < o.history.size(); ++k)
      if (const auto& current = o.history[k].seen.current; e < current.size())
        most = std::max(most, std::abs(current[e]));
    if (o.harmonic()) {
      const auto amplitude = [&](const std::vector<double>& re, const std::vector<double>& im) {
        return std::hypot(value(re), value(im));
      };
      out += fmt::format("electrode '{}': peak values {:.6g} V, {:.6g} C, {:.6g} A\n", o.electrode_names[e],
                         amplitude(last.potential, last.potential_imaginary),
                         amplitude(last.charge, last.charge_imaginary),
                         amplitude(last.current, last.current_imaginary));
      continue;
    }
    out += fmt::format("electrode '{}': {:.6g} V, {:.6g} C at the end", o.electrode_names[e],
                       value(last.potential), value(last.charge));
    if (o.conducts())
      out += fmt::format("; largest current {:.4g} A{}", most, o.first_lasting() ? " after t = 0" : "");
    out += "\n";
  }
  return out;
}

}  // namespace

std::string model_text(const Outcome& o) {
  const auto& m = o.model;
  std::string out = fmt::format("mesh: {}, {} nodes, {} tetrahedra of order {}, {} unknowns\n", m.source,
                                m.mesh_nodes, m.elements, m.order, m.unknowns);
  out += fmt::format("extent: {} to {}, edges {:.4g} to {:.4g} m\n", place(m.low), place(m.high),
                     m.shortest_edge, m.longest_edge);
  for (const auto& r : m.regions)
    out += fmt::format("material '{}': {} tetrahedra, {:.5g} m^3{}\n", r.material, r.elements, r.volume,
                       r.nonlinear ? ", depends on the field" : "");
  for (const auto& c : m.conductors) out += fmt::format("electrode '{}': {} nodes\n", c.name, c.nodes);
  return out;
}

/// Where the time of steps and solves went.
std::string time_line(const Outcome& o) {
  std::string text;
  double rest = o.seconds;
  const auto add = [&](const char* of, double seconds) {
    if (seconds > 0) text += fmt::format("{} {:.3g} s, ", of, seconds);
    rest -= seconds;
  };
  add("matrices and preconditioners", o.renewal_seconds);
  add("linear systems", o.linear_seconds);
  add("fields, lines, cuts and points", o.field_seconds);
  return fmt::format("of {:.3g} s: {}all else {:.3g} s\n", o.seconds, text, std::max(rest, 0.0));
}

std::string summary_text(const Outcome& o) {
  std::string out;
  if (o.simulation.analysis == Analysis::transient)
    out += fmt::format("{} steps to {}, {} repeated; Newton {}, CG {} iterations; {:.3g} s\n", o.steps,
                       format_time(o.history.back().time), o.rejected, o.newton, o.linear, o.seconds);
  else
    out += fmt::format("Newton {}, CG {} iterations; {:.3g} s\n", o.newton, o.linear, o.seconds);
  out += steady_line(o);
  out += time_line(o);
  out += stabilised_lines(o);
  out += o.device + ":";
  for (const auto& [name, seconds] : o.setup_seconds) out += fmt::format(" {} {:.3g} s,", name, seconds);
  out += fmt::format(" preconditioner set up {} times, renewed {} times; memory {} at most, the process {}\n",
                     o.setups, o.refreshes, format_bytes(double(o.device_peak_bytes)),
                     format_bytes(double(o.host_peak_bytes)));
  const auto most = extremes(o);
  for (std::size_t m = 0; m < most.size(); ++m)
    out +=
        fmt::format("material '{}': largest |E| {:.6g} V/m at {}{}{}\n", o.material_names[m], most[m].field,
                    place(most[m].at),
                    o.simulation.analysis == Analysis::transient ? ", t = " + format_time(most[m].time) : "",
                    peak_remark(o.warnings, o.material_names[m]));
  out += o.ranks;
  out += electrode_lines(o);
  const auto energy = energy_per_period(o);
  constexpr std::size_t shown = 6;
  if (energy.size() > shown)
    out += fmt::format("energy lost per period: of {}, the last {}; all are in results.h5\n", energy.size(),
                       shown);
  for (std::size_t k = energy.size() > shown ? energy.size() - shown : 0; k < energy.size(); ++k)
    out += fmt::format("energy lost in period {}: {:.6g} J\n", k + 1, energy[k]);
  return out;
}

std::string log_text(const Outcome& o) {
  std::string out = fmt::format("umov {}\n{}\n\n{}", o.version, o.machine.command_line, model_text(o));
  const auto& s = o.simulation;
  out += fmt::format("analysis: {}", analysis_name(s.analysis));
  if (s.analysis == Analysis::transient)
    out += fmt::format(" to {} by {}, {}", format_time(o.end), scheme_name(s.time.scheme),
                       s.time.step > 0 ? "fixed steps of " + format_time(s.time.step)
                                       : fmt::format("error of a step {:g}", s.time.tolerance));
  out += fmt::format("\ntolerances: Newton {:g}, conjugate gradients {:g}{}\n", s.newton.tolerance,
                     s.linear.tolerance,
                     s.newton.forcing == ForcingTerm::adaptive ? " (Newton's systems: adaptive)" : "");
  out += fmt::format("device: {}, memory {} now, {} at most\n", o.device,
                     format_bytes(double(o.device_bytes)), format_bytes(double(o.device_peak_bytes)));
  out += "solver:\n";
  for (const auto& line : split(o.solver, '\n'))
    if (!line.empty()) out += "  " + line + "\n";
  for (const auto& warning : o.warnings) out += "warning: " + warning + "\n";
  out += fmt::format("converged: {}\n\n", o.converged ? "yes" : "no: " + o.why_not);
  return out + summary_text(o);
}

}  // namespace umov::eqs
