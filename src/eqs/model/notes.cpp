// Remarks on a case: keys without effect, and what it probably does not mean.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/text.hpp"
#include "eqs/analysis_name.hpp"
#include "eqs/integrators/stabilised_scheme.hpp"
#include "eqs/materials/curve_table.hpp"
#include "eqs/model/model_parts.hpp"
#include "eqs/model/waveform.hpp"

namespace umov::eqs {

namespace {

/// Keys of steps in time, where none are taken.
void note_time(const Simulation& s, std::vector<std::string>& out) {
  const TimeSpec& t = s.time;
  const TimeSpec none;
  std::vector<std::string> idle;
  const auto list = [&](bool set, const char* key) {
    if (set) idle.push_back(key);
  };
  if (s.analysis != Analysis::transient) {
    list(t.steady_state, "time.steady_state");
    list(t.step != 0, "time.step");
    list(t.first_step != 0, "time.first_step");
    list(t.min_step != 0, "time.min_step");
    list(t.max_step != 0, "time.max_step");
    list(t.tolerance != none.tolerance, "time.tolerance");
    list(t.scheme != none.scheme, "time.scheme");
    list(t.spectral_radius != none.spectral_radius, "time.spectral_radius");
    list(t.power_steps != none.power_steps, "time.power_steps");
    list(t.max_stages != none.max_stages, "time.max_stages");
    list(s.outputs.interval != 0, "output.interval");
    list(!s.outputs.times.empty(), "output.times");
  }
  if (s.analysis == Analysis::harmonic) {
    list(t.end.value_or(0) != 0, "time.end");
    list(t.periods.value_or(0) != 0, "time.periods");
  }
  if (!idle.empty())
    out.push_back(fmt::format("without effect: {} (a {} analysis takes no steps in time)", join(idle, ", "),
                              analysis_name(s.analysis)));
  if (t.most_periods != none.most_periods && !(t.steady_state && s.analysis == Analysis::transient))
    out.push_back("without effect: time.most_periods (no steady state is sought); leave it out");
  if (s.analysis == Analysis::transient && t.step > 0 && t.tolerance != none.tolerance && !t.steady_state)
    out.push_back(fmt::format(
        "without effect: time.tolerance {} (steps of time.step are fixed, and nothing watches their error); "
        "leave out time.step if steps are to be chosen by the error",
        shortest(t.tolerance)));
  if (s.analysis == Analysis::conduction && s.outputs.capacitance)
    out.push_back(
        "without effect: output.capacitance (a conduction analysis has no permittivities); ask for it in "
        "another analysis");
}

void note_solver(const Simulation& s, const Problem& p, std::vector<std::string>& out) {
  if (p.order == 1 && s.linear.preconditioner == "p-multigrid")
    out.push_back(
        "without effect: solver.preconditioner = \"p-multigrid\" (elements of first order have no lower "
        "order to go to); \"amg\" is taken, as \"auto\" does; set mesh.order = 2 if that was meant");
}

void note_electrodes(const Simulation& s, std::vector<std::string>& out) {
  for (const auto& e : s.electrodes) {
    const bool driven = e.kind == ElectrodeSpec::Kind::driven;
    const bool steady = s.analysis == Analysis::transient && s.time.steady_state;
    if ((s.analysis == Analysis::harmonic || steady) && driven && e.waveform.ramp != WaveformSpec::Ramp::none)
      out.push_back(fmt::format("electrode '{}': its ramp is without effect ({} is the steady state)", e.name,
                                steady ? "what is wanted" : "a harmonic analysis"));
    if ((s.analysis == Analysis::harmonic || s.analysis == Analysis::conduction) && e.charge != 0)
      out.push_back(fmt::format("electrode '{}': its charge is without effect in a {} analysis", e.name,
                                analysis_name(s.analysis)));
  }
}

/// Amplitudes that no instant has all at once, and instants at which nothing drives.
void note_amplitudes(const Simulation& s, const Problem& p, std::vector<std::string>& out) {
  if (s.analysis != Analysis::electrostatic && s.analysis != Analysis::conduction) return;
  std::vector<const Electrode*> driven;
  for (const auto& e : p.electrodes)
    if (e.kind == ElectrodeSpec::Kind::driven && largest_value(e.waveform) != 0) driven.push_back(&e);
  if (const auto moment = s.time.moment()) {
    // sin(2 pi k) of a number of whole periods, rounded
    const auto at_zero = [&](const Electrode* e) {
      return std::abs(waveform(e->waveform, *moment)) <= 1e-9 * std::abs(largest_value(e->waveform));
    };
    if (!driven.empty() && std::all_of(driven.begin(), driven.end(), at_zero))
      out.push_back(fmt::format(
          "at {}, the moment that is asked for, no waveform drives (electrode '{}' with {:g} V at most is at "
          "0 V); leave out time.end and time.periods for the amplitudes",
          format_time(*moment), driven.front()->name, largest_value(driven.front()->waveform)));
    return;
  }
  for (const auto* a : driven)
    for (const auto* b : driven)
      if (a < b && !reach_amplitudes_together(a->waveform, b->waveform)) {
        out.push_back(fmt::format(
            "electrodes '{}' and '{}' are both taken at their amplitudes, {:g} V and {:g} V, which they do "
            "not reach at one instant (different waveforms or phases); set time.end to the instant that is "
            "meant",
            a->name, b->name, amplitude_of(a->waveform), amplitude_of(b->waveform)));
        return;
      }
}

/// The frequency of [time] beside those of the electrodes.
void note_frequency(const Simulation& s, std::vector<std::string>& out) {
  const ElectrodeSpec* other = nullptr;
  for (const auto& e : s.electrodes) {
    if (e.kind != ElectrodeSpec::Kind::driven || e.waveform.kind != WaveformSpec::Kind::sine) continue;
    if (e.waveform.frequency == s.time.frequency) return;
    other = &e;
  }
  if (!other || s.analysis == Analysis::harmonic || s.time.periods.value_or(0) == 0) return;
  out.push_back(fmt::format(
      "time.periods counts those of {:g} Hz, time.frequency, which no electrode has ('{}' has {:g} Hz); set "
      "time.frequency to it, or time.end, if that is not meant",
      s.time.frequency, other->name, other->waveform.frequency));
}

void note_materials(const Problem& p, std::vector<std::string>& out) {
  // far above any material (ferroelectric ceramics have some 1e4, a few compounds 1e5)
  constexpr double implausible = 1e9;
  for (const auto& m : p.materials) {
    const double least = least_value(m.permittivity, 1e3, 1e8);
    if (least >= implausible)
      out.push_back(
          fmt::format("material '{}': its permittivity is {:g} (relative to vacuum, which has 1; "
                      "ferroelectric ceramics have "
                      "some 1e4); correct it (to {:.4g} if it was divided by 8.854e-12 F/m once too often), "
                      "or make it an "
                      "electrode if a conductor is meant",
                      m.name, least, least * 8.8541878128e-12));
    if (least < 1)
      out.push_back(fmt::format(
          "material '{}': its permittivity is {:g} (relative to vacuum, which has 1; nothing has less); "
          "correct it{}",
          m.name, least,
          least < 1e-6 ? fmt::format(" to {:.4g} if it was in F/m", least / 8.8541878128e-12) : ""));
  }
}

/// A table that does not begin at E = 0, where every model has some field.
void note_tables(const Simulation& s, const Problem& p, std::vector<std::string>& out) {
  for (const auto& m : p.materials)
    for (const auto& [curve, name, unit] : {std::tuple{&m.conductivity, "conductivity", " S/m"},
                                            std::tuple{&m.permittivity, "permittivity", ""}}) {
      const bool used = curve == &m.conductivity ? s.analysis != Analysis::electrostatic
                                                 : s.analysis != Analysis::conduction;
      if (!used || curve->kind != CurveSpec::Kind::table || curve->field.front() == 0) continue;
      CurveTable table;
      table.add(*curve);
      const double there = table.view()(0, 0).value;
      if (std::abs(there - curve->values.front()) <= 0.01 * curve->values.front()) continue;
      out.push_back(
          fmt::format("material '{}': its table of {} begins at {:g} V/m with {:g}{}; below, the curve goes "
                      "on log-linearly to "
                      "{:.4g}{} at 0 V/m; give a row at 0 if that is not meant",
                      m.name, name, curve->field.front(), curve->values.front(), unit, there, unit));
    }
}

/// Whether a plane is an electrode: one of antisymmetry.
bool is_electrode(const Simulation& s, const std::string& plane) {
  return std::ranges::any_of(s.electrodes, [&](const ElectrodeSpec& e) {
    return e.groups.empty() ? e.name == plane : std::ranges::find(e.groups, plane) != e.groups.end();
  });
}

/// A cut that no symmetry tells of: sums are those of the part that is meshed.
void note_cut(const Simulation& s, std::vector<std::string>& out) {
  if (!s.mesh.geometry || s.mesh.geometry->kind != "parts") return;
  for (const auto& c : s.mesh.geometry->cut)
    if (std::find(s.symmetry.begin(), s.symmetry.end(), c) == s.symmetry.end() &&
        !is_electrode(s, "symmetry_" + c))
      out.push_back(fmt::format(
          "the geometry is cut at {} = 0, but mesh.symmetry does not list '{}': charges, currents and "
          "energies are those of the part that is meshed",
          c, c));
}

/// A conducting part that no electrode takes: without its metal it is a hole whose walls no field crosses.
void note_holes(const Simulation& s, std::vector<std::string>& out) {
  if (!s.mesh.geometry) return;
  std::vector<std::string> said;
  for (const auto& part : s.mesh.geometry->parts) {
    const auto takes = [&](const ElectrodeSpec& e) {
      return e.groups.empty() ? e.name == part.region
                              : std::find(e.groups.begin(), e.groups.end(), part.region) != e.groups.end();
    };
    if (!part.conductor || std::any_of(s.electrodes.begin(), s.electrodes.end(), takes)) continue;
    if (std::find(said.begin(), said.end(), part.region) != said.end()) continue;
    said.push_back(part.region);
    out.push_back(
        fmt::format("part '{}' is a conductor, but no electrode is: it is cut out as a hole that no field "
                    "crosses; make it an "
                    "electrode (kind = \"floating\" for metal at no fixed potential), if that is not meant",
                    part.region));
  }
}

/// Lengths in a unit that was not meant. Insulation carries some 10 kV/m (long gaps in air) to 10 MV/m
/// (solids) over the whole of a model; read a thousandfold too long, it seems to carry 10 V/m to 10 kV/m.
void note_size(const Simulation& s, const Problem& p, double extent, std::vector<std::string>& out) {
  double voltage = 0;
  for (const auto& e : p.electrodes)
    if (e.kind == ElectrodeSpec::Kind::driven) voltage = std::max(voltage, largest_value(e.waveform));
  if (voltage == 0) return;
  const double field = voltage / extent;
  const bool from_file = !s.mesh.file.empty();
  // beyond 50 m mesh::check speaks of any mesh; a geometry's author cannot say "m" to be believed
  const bool long_one = extent > 10 && extent <= 50 && field < (from_file ? 3e4 : 3e3);
  const bool weak = from_file && extent > 1 && voltage >= 50 && field < 300;
  constexpr double breakdown = 3e8;  // V/m, above what any solid stands over a length to be drawn
  if (field > breakdown)
    out.push_back(fmt::format(
        "{}: {:.4g} m across at {:g} V is {:.2g} V/m (more than anything stands); {}", p.mesh.source, extent,
        voltage, field,
        from_file ? "check mesh.unit, the unit of the file" : "lengths of a geometry are in metres"));
  else if (from_file && !s.mesh.unit_given && (long_one || weak))
    out.push_back(fmt::format(
        "{}: {:.4g} m across at {:g} V is {:.2g} V/m (drawn in millimetres, it would be {:.4g} m); set "
        "mesh.unit = \"mm\" if it was, \"m\" if not",
        p.mesh.source, extent, voltage, field, 1e-3 * extent));
  else if (!from_file && long_one)
    out.push_back(
        fmt::format("the geometry is {:.4g} m across, at {:g} V {:.2g} V/m (its lengths are in metres; in "
                    "millimetres it would be {:.4g} m); divide them by 1000 if so",
                    extent, voltage, field, 1e-3 * extent));
}

}  // namespace

double least_value(const CurveSpec& c, double from, double to) {
  if (c.kind == CurveSpec::Kind::constant) return c.value;
  if (c.kind == CurveSpec::Kind::table) return *std::min_element(c.values.begin(), c.values.end());
  CurveTable table;
  table.add(c);
  double least = table.view()(0, 0).value;
  for (double field = from; field <= to * (1 + 1e-9); field *= 10)
    least = std::min(least, table.view()(0, field).value);
  return least;
}

void note_case(const Simulation& s, double extent, Problem& p) {
  note_time(s, p.warnings);
  note_tolerances(s, p);
  note_solver(s, p, p.warnings);
  note_electrodes(s, p.warnings);
  note_amplitudes(s, p, p.warnings);
  note_frequency(s, p.warnings);
  note_cut(s, p.warnings);
  note_holes(s, p.warnings);
  note_materials(p, p.warnings);
  note_tables(s, p, p.warnings);
  note_size(s, p, extent, p.warnings);
}

}  // namespace umov::eqs
