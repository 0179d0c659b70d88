// What passes at the start of a run, long before its first step ends.
#include "eqs/run/passing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.hpp"
#include "eqs/materials/curve_table.hpp"
#include "eqs/model/device_model.hpp"
#include "eqs/model/waveform.hpp"

namespace umov::eqs {

namespace {

/// What is there at once at the start; "": nothing.
std::string jump_at_start(const Problem& p) {
  const bool voltage = std::ranges::any_of(p.electrodes, [](const Electrode& e) {
    return e.kind == ElectrodeSpec::Kind::driven &&
           std::abs(waveform(e.waveform, 0)) > 1e-9 * largest_value(e.waveform);
  });
  if (voltage) return "the voltage jumps";
  for (const Electrode& e : p.electrodes)
    if (e.kind == ElectrodeSpec::Kind::floating && e.charge != 0)
      return "the charge of '" + e.name + "' is there at once";
  return "";
}

/// eps / kappa at a field, s.
double relaxation_time(const Material& m, double field) {
  CurveTable table;
  const int eps = table.add(m.permittivity), kappa = table.add(m.conductivity);
  const CurveView at = table.view();
  const double conducts = at(kappa, field).value;
  return conducts > 0 ? eps0 * at(eps, field).value / conducts : std::numeric_limits<double>::infinity();
}

/// Whether a quantity at the start exceeds all later ones by more than a part in a hundred.
template <class Value>
bool decides(const std::vector<Record>& history, const Value& value) {
  double later = 0;
  for (std::size_t k = 1; k < history.size(); ++k) later = std::max(later, std::abs(value(history[k])));
  return std::abs(value(history[0])) > 1.01 * later;
}

/// The largest |E| of a material over the records, V/m.
double largest_field(const std::vector<Record>& history, std::size_t m) {
  double most = 0;
  for (const Record& r : history)
    if (m < r.seen.peaks.size()) most = std::max(most, r.seen.peaks[m].field);
  return most;
}

}  // namespace

void warn_of_slow_charges(const Prepared& p, const Outcome& out, Journal& journal) {
  // a tenth of where SlowCharges (eqs/solve/slow_charges.hpp) has half of a leak
  constexpr double slow = 1e9;
  if (out.steady.halves) return;
  for (std::size_t m = 0; m < p.problem.materials.size(); ++m) {
    const double periods =
        relaxation_time(p.problem.materials[m], largest_field(out.history, m)) / p.schedule.end;
    if (!(periods > slow && std::isfinite(periods))) continue;
    journal.warn(fmt::format(
        "steady state: material '{}' relaxes within more than {:g} periods ({:.2g}; what it moves within one "
        "is hardly told from rounding, and charges at it may count as kept); give it no conductivity if "
        "that is meant, or raise all conductivities that are as low by one factor: they divide a direct "
        "voltage alike",
        p.problem.materials[m].name, slow, periods));
  }
}

void note_passing(const Prepared& p, Outcome& out, Journal& journal) {
  out.passing.clear();
  if (out.history.size() < 2) return;
  const std::string jump = jump_at_start(p.problem);
  if (jump.empty()) return;
  const Record& first = out.history[0];
  const double step = out.history[1].time - first.time;
  std::vector<char> passing(p.problem.materials.size(), 0);
  double fastest = std::numeric_limits<double>::infinity();
  std::string which;
  for (std::size_t m = 0; m < passing.size() && m < first.seen.peaks.size(); ++m) {
    const double field = first.seen.peaks[m].field;
    const double time = field > 0 ? relaxation_time(p.problem.materials[m], field) : fastest;
    passing[m] = 10 * time < step;
    if (time < fastest) fastest = time, which = p.problem.materials[m].name;
  }
  if (!(10 * fastest < step)) return;
  std::size_t most = 0;
  bool counts = decides(out.history, [](const Record& r) { return r.seen.power; });
  for (std::size_t e = 0; e < first.seen.current.size(); ++e) {
    counts = counts || decides(out.history, [e](const Record& r) { return r.seen.current[e]; });
    if (std::abs(first.seen.current[e]) > std::abs(first.seen.current[most])) most = e;
  }
  if (!counts || first.seen.current.empty()) return;
  out.passing = std::move(passing);
  journal.warn(fmt::format(
      "largest currents and powers leave out t = 0, where {} (electrode '{}': {:.4g} A, {:.4g} W in all; "
      "material '{}' relaxes within {}, the first step is {}); tables have that row{}",
      jump, out.electrode_names[most], std::abs(first.seen.current[most]), first.seen.power, which,
      format_time(fastest), format_time(step),
      jump == "the voltage jumps" ? "; give the voltage a rise to see what it drives" : ""));
}

}  // namespace umov::eqs
