// The record of a run in time as text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "fdtd/command/execute.hpp"
#include "fdtd/grid_text.hpp"
#include "fdtd/kind_names.hpp"
#include "fdtd/monitors/spectrum_errors.hpp"

namespace umov::fdtd {

namespace {

/// What no number stands for.
std::string unknown_errors(const Outcome& o) {
  const auto any = std::ranges::any_of(monitor_kinds(),
                                       [&](const MonitorKind* kind) { return kind->lacks_grid_error(o); });
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
  out += animation_line(o);
  for (const MonitorKind* kind : monitor_kinds()) out += kind->lines(o);
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
  std::string out = fmt::format("umov {}\n{}\n\n", o.version, o.machine.command_line);
  out +=
      fmt::format("grid: {} x {} x {} cells of {} ({}), {:.4g} Mcells\n", g.cells[0], g.cells[1], g.cells[2],
                  edges_text(g, 8), named(mode_names, g.mode).title, 1e-6 * double(g.cell_count()));
  out += fmt::format("time step: {:.8g}, {:.4g} of the Courant limit\n", g.dt,
                     g.dt / g.limiting_edge() * std::sqrt(double(dimensions(g.mode))));
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
