// Cases for tests of the electroquasistatic family: columns, sectors and small helpers.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "eqs/engine.hpp"
#include "eqs/model/waveform.hpp"
#include "eqs/time/step_control.hpp"
#include "support/machines.hpp"

namespace umov::eqs::test {

inline constexpr double eps_vacuum = 8.8541878128e-12;

inline CurveSpec constant(double v) {
  CurveSpec c;
  c.value = v;
  return c;
}
inline CurveSpec microvaristor() {
  CurveSpec c;
  c.kind = CurveSpec::Kind::named;
  c.named = "microvaristor";
  return c;
}
inline CurveSpec formula(const std::string& text) {
  CurveSpec c;
  c.kind = CurveSpec::Kind::formula;
  c.formula = text;
  return c;
}
inline MaterialSpec material(const std::string& name, const CurveSpec& eps, const CurveSpec& kappa) {
  MaterialSpec m;
  m.name = name;
  m.permittivity = eps;
  m.conductivity = kappa;
  return m;
}
inline ElectrodeSpec electrode(const std::string& name,
                               ElectrodeSpec::Kind kind = ElectrodeSpec::Kind::ground) {
  ElectrodeSpec e;
  e.name = name;
  e.kind = kind;
  return e;
}
inline ElectrodeSpec driven(const std::string& name, const WaveformSpec& w) {
  ElectrodeSpec e = electrode(name, ElectrodeSpec::Kind::driven);
  e.waveform = w;
  return e;
}
inline WaveformSpec sine(double amplitude, double frequency = 50, double phase = 0,
                         WaveformSpec::Ramp ramp = WaveformSpec::Ramp::none) {
  WaveformSpec w;
  w.amplitude = amplitude;
  w.frequency = frequency;
  w.phase = phase;
  w.ramp = ramp;
  return w;
}
inline WaveformSpec steady(double amplitude) {
  WaveformSpec w;
  w.kind = WaveformSpec::Kind::constant;
  w.amplitude = amplitude;
  return w;
}
inline mesh::Geometry::Layer layer(const std::string& region, double thickness, int elements,
                                   double grading = 1) {
  mesh::Geometry::Layer l;
  l.region = region;
  l.thickness = thickness;
  l.elements = elements;
  l.grading = grading;
  return l;
}

/// A square column of layers along z between "bottom" (driven by w) and "top" (ground).
inline Simulation column(const std::vector<mesh::Geometry::Layer>& layers,
                         const std::vector<MaterialSpec>& materials, const WaveformSpec& w,
                         double width = 1e-3, int across = 1) {
  Simulation s;
  s.mesh.geometry.emplace();
  s.mesh.geometry->kind = "layers";
  s.mesh.geometry->layers = layers;
  s.mesh.geometry->width = width;
  s.mesh.geometry->elements_across = across;
  s.mesh.order = 1;
  s.materials = materials;
  s.electrodes = {driven("bottom", w), electrode("top")};
  return s;
}
/// A sector of a cylinder (kind "coaxial") or a sphere between "inner" (driven by w) and "outer" (ground).
inline Simulation sector(const std::string& kind, double inner_radius, double angle,
                         const std::vector<mesh::Geometry::Layer>& layers,
                         const std::vector<MaterialSpec>& materials, const WaveformSpec& w, int across = 1) {
  Simulation s = column(layers, materials, w, 1e-3, across);
  s.mesh.geometry->kind = kind;
  s.mesh.geometry->inner_radius = inner_radius;
  s.mesh.geometry->angle = angle;
  s.electrodes = {driven("inner", w), electrode("outer")};
  return s;
}

using umov::test::one_thread, umov::test::serial;

inline EngineRequest on(const std::string& backend = "cpu", int threads = 0) {
  EngineRequest r;
  r.backend = backend;
  r.threads = threads;
  return r;
}

/// Index of the material called `name`.
inline std::size_t index_of(const Problem& p, const std::string& name) {
  for (std::size_t m = 0; m < p.materials.size(); ++m)
    if (p.materials[m].name == name) return m;
  throw std::out_of_range(name);
}

/// Fixed steps from the state at hand to `end`.
inline void march(Engine& e, double end, int steps) {
  const double begin = e.time();
  for (int k = 0; k < steps; ++k) {
    const StepTry t = e.attempt(begin + (end - begin) * (k + 1) / steps - e.time());
    if (!t.effort.converged) throw std::runtime_error(t.effort.why_not);
    e.accept();
  }
}

/// What is seen of a direct current, of a harmonic solution at 50 Hz, or after a quarter of its period in
/// time.
inline Observation observed_at_50_hz(Engine& e, Analysis analysis) {
  Effort effort;
  if (analysis == Analysis::transient)
    effort = e.start(0);
  else
    effort = analysis == Analysis::harmonic ? e.solve_harmonic(2 * pi * 50) : e.solve_static(0);
  if (!effort.converged) throw std::runtime_error(effort.why_not);
  if (analysis == Analysis::transient) march(e, 5e-3, 8);
  return e.observe();
}

/// A space node's place.
inline Vec3 node_place(const Problem& p, int n) {
  const int vertices = int(p.mesh.nodes.size());
  if (n < vertices) return p.mesh.nodes[n];
  const auto& ends = p.edges.ends[n - vertices];
  return 0.5 * (p.mesh.nodes[ends[0]] + p.mesh.nodes[ends[1]]);
}

}  // namespace umov::eqs::test
