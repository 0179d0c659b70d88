// A run of the time domain in words.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "results/fdtd_names.hpp"
#include "results/fdtd_results.hpp"

namespace umov::results {

using namespace fdtd;

namespace {

std::string grid_lines(const Outcome& o) {
  const auto& g = o.grid;
  return fmt::format(
      "grid: {} x {} x {} cells of {:.6g} unit, time step {:.6g} unit/c, {} precision\n"
      "run: {} steps to t = {:.6g} unit/c on {} ({}), {}, {:.4g} Mcell-steps/s, {} on the device\n"
      "stopped: {}{}\n",
      g.cells[0], g.cells[1], g.cells[2], g.dx, g.dt,
      o.simulation.precision == Precision::single_ ? "single" : "double", o.steps, o.time, o.backend,
      o.device, format_duration(o.seconds), 1e-6 * o.cells_per_second, format_bytes(double(o.device_bytes)),
      o.stop_reason, o.converged ? "" : " (the limit came before the criterion)");
}

std::string flux_line(const FluxResult& f) {
  if (f.flux.empty()) return "";
  std::string line = fmt::format("flux {}: {} frequencies", f.name, f.flux.size());
  const auto quotients = normalized(f);
  const auto range = [&](const char* name, const std::vector<double>& values) {
    if (values.empty()) return;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    line += fmt::format(", {} from {:.5g} to {:.5g}", name, *low, *high);
  };
  range("flux / reference", quotients.transmission);
  range("-scattered / reference", quotients.reflection);
  return line + fmt::format("; changed by {:.2g} at the last check\n", f.error);
}

std::string resonance_lines(const ResonanceResult& r) {
  std::string lines;
  for (const auto& m : r.modes)
    lines += fmt::format("resonance {}: f = {:.6g} c/unit, Q = {:.5g}, amplitude {:.3g}, error {:.1e}\n",
                         r.name, m.frequency, m.quality, m.amplitude, m.error);
  return lines;
}

}  // namespace

std::string describe(const Outcome& o) {
  std::string text = grid_lines(o);
  for (const auto& s : o.series)
    text += fmt::format("series {}: {} samples of {}, rms over the last tenth {:.6g}\n", s.name,
                        s.value.size(), component_name(s.component), s.rms_total);
  for (const auto& f : o.fluxes) text += flux_line(f);
  for (const auto& r : o.resonances) text += resonance_lines(r);
  for (const auto& n : o.notes) text += "note: " + n + "\n";
  for (const auto& w : o.warnings) text += "warning: " + w + "\n";
  return text;
}

}  // namespace umov::results
