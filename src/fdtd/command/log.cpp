// The record of a run in time as text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "fdtd/command/execute.hpp"
#include "fdtd/kind_names.hpp"
#include "fdtd/observables/drawn_series.hpp"
#include "fdtd/observables/normalized_flux.hpp"

namespace umov::fdtd {

namespace {

double worst(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values)
    if (std::isfinite(v)) most = std::max(most, std::abs(v));
  return most;
}

/// The largest of each contribution, in the unit of what stands before it.
std::string errors_text(const SpectrumErrors& e, double unit = 1) {
  std::string out;
  if (!e.record.empty()) out += fmt::format(", error of the record {:.1e}", worst(e.record) / unit);
  if (!e.layers.empty()) out += fmt::format(", of the layers {:.1e}", worst(e.layers) / unit);
  const bool known = std::ranges::any_of(e.grid, [](double v) { return std::isfinite(v); });
  if (known) out += fmt::format(", of the grid {:.1e}", worst(e.grid) / unit);
  return out;
}

/// "R = 0.25 at 0.1, ..." is for spectra; here only where the flux is largest.
std::string flux_line(const FluxResult& f) {
  if (f.flux.empty()) return "";
  const auto larger = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const bool named = f.incident.size() == f.flux.size();
  const bool relative = !f.balanced && (named || f.reference.size() == f.flux.size());
  const auto& by = named ? f.incident : relative ? f.reference : f.flux;
  const auto at = std::size_t(std::max_element(by.begin(), by.end(), larger) - by.begin());
  std::string out = fmt::format("flux '{}': {:.6g} at frequency {:.6g}", f.name, f.flux[at], f.frequency[at]);
  double unit = 1;
  if (relative && !without_incident(f)[at]) {
    unit = named ? std::abs(by[at]) : by[at];
    out += fmt::format(", {:.6g} of {}", f.flux[at] / unit,
                       named ? "'" + f.normalized_by + "'" : "the reference");
    if (const auto quotients = normalized(f);
        quotients.reflection.size() == f.flux.size() && shows_reflection(f))
      out += fmt::format(", R = {:.6g}", quotients.reflection[at]);
  }
  return out + errors_text(f.errors, std::abs(unit)) + "\n";
}

/// With the error of its record where that is seen in six digits; a bound in two digits.
std::string quality_text(const Resonance& m) {
  if (m.at_least) return fmt::format("{:.2g}", m.quality);
  const double error = m.quality_error() * m.quality;
  return fmt::format("{:.6g}", m.quality) +
         (error > 1e-6 * m.quality ? fmt::format(" +- {:.1g}", error) : "");
}

std::string resonance_lines(const ResonanceResult& r) {
  std::string out;
  for (const auto& m : r.modes)
    out += fmt::format(
        "resonance '{}' ({}): f = {:.8g}, Q {} {}, amplitude {:.3g}, error of the record {:.1e}\n", r.name,
        word(r.component), m.frequency, m.at_least ? ">" : "=", quality_text(m), m.amplitude, m.error);
  return out;
}

/// The strongest orders of each way at the first frequency.
std::string order_line(const OrdersResult& r) {
  if (r.size() == 0) return fmt::format("orders '{}': none propagates\n", r.name);
  const auto strongest = [&](const std::vector<double>& values) {
    std::vector<std::size_t> index;
    for (std::size_t i = 0; i < r.size() && r.frequency[i] == r.frequency[0]; ++i) index.push_back(i);
    std::sort(index.begin(), index.end(), [&](auto a, auto b) { return values[a] > values[b]; });
    std::string text;
    const bool flat = std::all_of(r.n.begin(), r.n.end(), [](int n) { return n == 0; });
    for (std::size_t i = 0; i < std::min<std::size_t>(index.size(), 3); ++i)
      text += fmt::format(
          "{}{}: {:.4g}", i ? ", " : "",
          flat ? fmt::format("{}", r.m[index[i]]) : fmt::format("({}, {})", r.m[index[i]], r.n[index[i]]),
          values[index[i]]);
    return text;
  };
  SpectrumErrors errors = r.forward_errors;
  for (auto part : {&SpectrumErrors::record, &SpectrumErrors::layers, &SpectrumErrors::grid}) {
    const auto& more = r.backward_errors.*part;
    (errors.*part).insert((errors.*part).end(), more.begin(), more.end());
  }
  return fmt::format("orders '{}' at frequency {:.6g}: forward {}; backward {}{}\n", r.name, r.frequency[0],
                     strongest(r.forward), strongest(r.backward), errors_text(errors));
}

std::string far_field_line(const FarFieldResult& f) {
  if (f.scattering_cross_section.empty()) return "";
  std::string out = fmt::format("far field '{}': Csca = {:.6g}", f.name, f.scattering_cross_section.front());
  if (!f.extinction.empty()) out += fmt::format(", Cext = {:.6g}", f.extinction.front());
  out += fmt::format(" at frequency {:.6g}", f.frequency.front());
  return out + errors_text(f.scattering_errors) + "\n";
}

/// What no number stands for.
std::string unknown_errors(const Outcome& o) {
  const auto unknown = [](const SpectrumErrors& e) { return e.grid.empty(); };
  bool any = !o.resonances.empty() || !o.modes.empty();
  for (const auto& f : o.fluxes) any |= unknown(f.errors);
  for (const auto& f : o.far_fields) any |= unknown(f.scattering_errors);
  for (const auto& r : o.orders) any |= unknown(r.forward_errors);
  return any ? std::string(grid_error_unknown) +
                   " (exact powers are known of flat layers alone, lit by one "
                   "plane wave through a face in front of all of them)\n"
             : "";
}

/// Why there are fewer pictures than were asked for.
std::string animation_line(const Outcome& o) {
  const std::size_t asked = std::size_t(o.simulation.outputs.frames);
  if (o.frames.size() < 2 || o.frames.size() >= asked) return "";
  return fmt::format(
      "animation: {} pictures, every {:.4g} of time (at most {}; where neither time nor steps fix the end, "
      "every second one is dropped whenever there are as many)\n",
      o.frames.size(), o.frames[1].time - o.frames[0].time, asked);
}

}  // namespace

std::string summary_text(const Outcome& o) {
  std::string out = fmt::format("{} steps to time {:.6g}; end: {}\n", o.steps, o.time, o.stop_reason);
  if (o.seconds > 0)
    out += fmt::format("{:.4g} Mcells/s on {}, {} of memory, {:.3g} s\n", 1e-6 * o.cells_per_second, o.device,
                       format_bytes(double(o.device_bytes)), o.seconds);
  for (const auto& s : o.series)
    out += fmt::format("series '{}': root mean square at the end, over {}, {:.6g}\n", s.name, rms_span(s),
                       s.rms_total);
  out += animation_line(o);
  for (const auto& a : drawn_amplitudes(o))
    for (std::size_t f = 0; f < a.frequency.size(); ++f)
      out += fmt::format(
          "monitor '{}' at frequency {:.6g}, of {}: T = |total| / |incident| = {:.4f}, R = |total - "
          "incident| / "
          "|incident| = {:.4f}\n",
          a.name, a.frequency[f], word(a.component), a.transmission[f], a.reflection[f]);
  for (const auto& f : o.fluxes) out += flux_line(f);
  for (const auto& f : o.far_fields) out += far_field_line(f);
  for (const auto& r : o.orders) out += order_line(r);
  for (const auto& r : o.resonances) out += resonance_lines(r);
  return out + unknown_errors(o);
}

namespace {

/// Whether looks at the fields, and not the steps, make a run slow.
std::string step_times_text(const StepTimes& t, bool of_pair) {
  if (t.advances == 0) return "";
  return fmt::format(
      "of the steps' time{} in s: steps {:.3f} ({} times some), energies {:.3f} ({}), records of monitors "
      "{:.3f} ({}), criteria {:.3f}, series {:.3f}, pictures {:.3f}\n",
      of_pair ? ", without the reference run's," : "", t.steps, t.advances, t.energies, t.energies_taken,
      t.records, t.records_taken, t.criteria, t.samples, t.pictures);
}

}  // namespace

std::string log_text(const Outcome& o) {
  const Grid& g = o.grid;
  std::string out = fmt::format("umov {}\n{}\n\n", o.version, o.simulation.command_line);
  out += fmt::format("grid: {} x {} x {} cells of {:.8g} ({}), {:.4g} Mcells\n", g.cells[0], g.cells[1],
                     g.cells[2], g.dx, named(mode_names, g.mode).title, 1e-6 * double(g.cell_count()));
  out += fmt::format("time step: {:.8g}, {:.4g} of the Courant limit\n", g.dt,
                     g.dt / g.dx * std::sqrt(double(dimensions(g.mode))));
  out += fmt::format("unit: {:g} um, {:.6g} fs\n", o.simulation.unit_um, o.simulation.unit_um / 0.299792458);
  out += fmt::format("device: {}, {} precision, {} of memory\n", o.device,
                     o.simulation.precision == Precision::double_ ? "double" : "single",
                     format_bytes(double(o.device_bytes)));
  out += o.ranks;
  for (const auto& note : o.notes) out += "note: " + note + "\n";
  for (const auto& warning : o.warnings) out += "warning: " + warning + "\n";
  out += fmt::format("converged: {}\n\n", o.converged ? "yes" : "no");
  return out + summary_text(o) + step_times_text(o.step_times, o.simulation.normalize);
}

}  // namespace umov::fdtd
