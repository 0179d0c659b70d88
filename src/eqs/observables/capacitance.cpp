// The capacitance matrix: one electrostatic solution per electrode.
#include "core/error.hpp"
#include "eqs/engine.hpp"
#include "eqs/materials/curve_table.hpp"
#include "eqs/model/model_parts.hpp"

namespace umov::eqs {

namespace {

/// A property as it is without a field.
CurveSpec at_rest(const CurveSpec& spec) {
  CurveTable table;
  table.add(spec);
  CurveSpec c;
  c.value = table.view()(0, 0).value;
  return c;
}

/// 1 V at time e, 0 at all other whole numbers.
WaveformSpec one_at(int e, int count) {
  WaveformSpec w;
  w.kind = WaveformSpec::Kind::table;
  for (int k = -1; k <= count; ++k) {
    w.time.push_back(k);
    w.values.push_back(k == e);
  }
  return w;
}

}  // namespace

std::vector<std::vector<double>> capacitance(const Problem& problem, const EngineRequest& request) {
  return capacitance(problem, [&](const Problem& p) { return make_engine(p, request); });
}

std::vector<std::vector<double>> capacitance(
    const Problem& problem, const std::function<std::unique_ptr<Engine>(const Problem&)>& make) {
  Problem p = problem;
  p.analysis = Analysis::electrostatic;
  for (Material& m : p.materials) m.permittivity = at_rest(m.permittivity), m.conductivity = {};
  const int count = int(p.electrodes.size());
  for (int e = 0; e < count; ++e) {
    p.electrodes[e].kind = ElectrodeSpec::Kind::driven;
    p.electrodes[e].waveform = one_at(e, count);
  }
  renumber(p);
  const auto engine = make(p);
  std::vector<std::vector<double>> matrix;
  for (int e = 0; e < count; ++e) {
    const Effort effort = engine->solve_static(e);
    if (!effort.converged)
      throw Error(Exit::not_converged, "capacitance of '" + p.electrodes[e].name + "': " + effort.why_not);
    matrix.push_back(engine->observe().charge);
  }
  return matrix;
}

}  // namespace umov::eqs
