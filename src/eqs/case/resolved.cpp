// From a Simulation of the electroquasistatic family back to a case.
#include "eqs/case/case.hpp"

namespace umov::eqs {

namespace {

CurveCase curve_case(const CurveSpec& spec) {
  CurveCase c;
  c.parameters = spec.parameters;
  switch (spec.kind) {
    case CurveSpec::Kind::constant:
      c.value = spec.value;
      break;
    case CurveSpec::Kind::named:
      c.value = spec.named;
      break;
    case CurveSpec::Kind::table:
      c.table = {spec.file, spec.file.empty() ? spec.field : std::vector<double>{},
                 spec.file.empty() ? spec.values : std::vector<double>{}};
      break;
    case CurveSpec::Kind::formula:
      c.formula = spec.formula;
      break;
  }
  return c;
}

}  // namespace

Case case_of(const Simulation& simulation, const run::Machine& machine) {
  Case c;
  c.simulation = simulation;
  c.machine = machine;
  c.machine.device = machine.gpu();
  if (simulation.mesh.geometry) {
    c.geometry = *simulation.mesh.geometry;
    c.geometry_kind = c.geometry.kind;
  }
  for (const auto& spec : simulation.materials)
    c.materials.push_back({spec, curve_case(spec.permittivity), curve_case(spec.conductivity)});
  for (const auto& spec : simulation.electrodes) {
    ElectrodeCase electrode;
    electrode.spec = spec;
    const bool whole_table = spec.waveform.kind == WaveformSpec::Kind::table && spec.waveform.amplitude == 0;
    if (spec.kind == ElectrodeSpec::Kind::driven && !whole_table)
      electrode.amplitude = spec.waveform.amplitude;
    if (spec.kind == ElectrodeSpec::Kind::driven && spec.waveform.kind == WaveformSpec::Kind::sine)
      electrode.frequency = spec.waveform.frequency;
    c.electrodes.push_back(electrode);
  }
  return c;
}

std::string resolved_toml(const Simulation& simulation, const run::Machine& machine) {
  return "# The case as it was run: every default filled in. `umov eqs resolved.toml` repeats it.\n" +
         parameters().write_toml(case_of(simulation, machine));
}

std::string resolved_toml(const Simulation& simulation, const run::Machine& machine,
                          const ComparisonSpec& spec) {
  Case c = case_of(simulation, machine);
  c.compare = spec;
  return "# The case as it was compared: every default filled in. `umov eqs resolved.toml --compare` repeats "
         "it.\n" +
         parameters().write_toml(c);
}

}  // namespace umov::eqs
