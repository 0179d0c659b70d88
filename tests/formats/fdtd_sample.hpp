// Made-up outcomes of the time domain with everything in them, small enough to check by hand.
#pragma once

#include <cmath>
#include <complex>

#include "fdtd/monitors/flux.hpp"
#include "fdtd/monitors/fourier.hpp"
#include "fdtd/monitors/near_to_far.hpp"
#include "fdtd/monitors/resonance.hpp"
#include "fdtd/monitors/series.hpp"
#include "fdtd/outcome.hpp"

namespace umov::fdtd {

/// Permittivity 9 inside a ring (2D), a sphere's shell (3D) or a slab (1D), 1 outside.
inline double ring_permittivity(const Grid& g, const Vec3& r) {
  const double half = 0.5 * g.dx * g.cells[0];
  const double radius = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) / half;
  return radius > 0.35 && radius < 0.6 ? 9 : 1;
}

inline Grid sample_grid(Mode mode, Int3 cells, double dx = 0.05) {
  Grid g;
  g.mode = mode;
  g.cells = cells;
  g.dx = dx;
  g.dt = 0.9 * dx / std::sqrt(double(dimensions(mode)));
  for (int a = 0; a < dimensions(mode); ++a) g.origin[a] = -0.5 * dx * cells[a];
  return g;
}

/// Values of a function over a block that begins at node `low`.
template <class F>
FieldBlock block_of(const Grid& g, Component c, Int3 low, Int3 size, F&& f) {
  FieldBlock b;
  b.size = size;
  for (int k = 0; k < size[2]; ++k)
    for (int j = 0; j < size[1]; ++j)
      for (int i = 0; i < size[0]; ++i)
        b.real.push_back(f(g.position(c, {low[0] + i, low[1] + j, low[2] + k})));
  return b;
}

/// A whispering-gallery-like mode with a decaying outgoing wave.
inline double ring_field(const Grid& g, const Vec3& r, double phase) {
  const double half = 0.5 * g.dx * g.cells[0], radius = std::hypot(r[0], r[1]) / half,
               angle = std::atan2(r[1], r[0]);
  const double inside = std::exp(-std::pow((radius - 0.475) / 0.11, 2)) * std::cos(7 * angle - phase);
  return float(inside + 0.08 * std::cos(14 * radius + angle - phase) * std::exp(-radius));
}

inline void add_final_fields(Outcome& o) {
  const auto& g = o.grid;
  const auto value = [&](const Vec3& r) { return ring_field(g, r, 0.4); };
  if (dimensions(g.mode) < 3) {
    o.final_fields.push_back(
        {g.mode == Mode::te ? Hz : Ez, block_of(g, g.mode == Mode::te ? Hz : Ez, {}, g.cells, value)});
    return;
  }
  for (int axis = 0; axis < 3; ++axis) {
    Int3 low{0, 0, 0}, size = g.cells;
    low[axis] = g.cells[axis] / 2;
    size[axis] = 1;
    o.final_fields.push_back({Ez, block_of(g, Ez, low, size, value)});
  }
}

inline void add_spectra(Outcome& o) {
  SeriesResult s;
  s.name = "probe";
  for (int i = 0; i < 4000; ++i) {
    const double t = o.grid.dt * i;
    s.time.push_back(t);
    s.value.push_back(std::exp(-t / 60) * std::cos(2 * pi * 0.1475 * t) +
                      0.6 * std::exp(-t / 30) * std::cos(2 * pi * 0.1758 * t + 1));
  }
  s.rms_total = 0.25;
  o.of<SeriesResult>().push_back(s);
  o.of<ResonanceResult>().push_back(
      {"probe", Ez, {{0.1475, 81.5, 1.0, 0.0, 2e-6}, {0.1758, 42.3, 0.6, 1.0, 3e-5}}});
  FluxResult r, t;
  r.name = "front";
  t.name = "behind";
  for (int i = 0; i <= 100; ++i) {
    const double f = 0.1 + 0.002 * i, power = std::exp(-std::pow((f - 0.2) / 0.08, 2));
    const double reflected =
        0.64 * std::pow(std::sin(2 * pi * 8 * f), 2) / (0.36 + 0.64 * std::pow(std::sin(2 * pi * 8 * f), 2));
    for (auto* m : {&r, &t}) {
      m->frequency.push_back(f);
      m->reference.push_back(power);
    }
    r.flux.push_back((1 - reflected) * power);
    r.scattered.push_back(-reflected * power);
    t.flux.push_back((1 - reflected) * power);
    t.scattered.push_back(2 * power);
  }
  r.record_error = t.record_error = 1e-3;
  o.of<FluxResult>() = {r, t};
}

inline void add_fourier(Outcome& o) {
  const auto& g = o.grid;
  FourierResult f;
  f.name = "steady";
  f.frequency = {0.1475, 0.1758};
  f.components = {g.mode == Mode::te ? Ex : Ez};
  for (int a = 0; a < 3; ++a) {
    f.size[a] = g.active(a) ? std::max(1, g.cells[a] - 8) : 1;
    f.origin[a] = g.active(a) ? g.origin[a] + 4 * g.dx : 0;
  }
  std::vector<cplx> values;
  for (std::size_t q = 0; q < f.frequency.size(); ++q)
    for (int k = 0; k < f.size[2]; ++k)
      for (int j = 0; j < f.size[1]; ++j)
        for (int i = 0; i < f.size[0]; ++i) {
          const Vec3 r{f.origin[0] + g.dx * i, f.origin[1] + g.dx * j, f.origin[2] + g.dx * k};
          values.push_back({ring_field(g, r, 0), ring_field(g, r, pi / 2 + double(q))});
        }
  f.values = {values};
  o.of<FourierResult>().push_back(f);
}

inline void add_far_field(Outcome& o) {
  FarFieldResult f;
  f.name = "outside";
  f.frequency = {0.15, 0.2};
  for (int d = 0; d < 360; ++d) {
    f.theta.push_back(90);
    f.phi.push_back(d);
  }
  for (const double q : f.frequency)
    for (const double phi : f.phi) {
      const double a = phi * pi / 180;
      f.intensity.push_back(std::pow(std::cos(a * 0.5), 8) + q * std::pow(std::sin(3 * a), 2) * 0.3 + 1e-3);
      f.e_theta.push_back(std::polar(std::sqrt(f.intensity.back()), a));
      f.e_phi.push_back({0, 0});
    }
  f.scattering_cross_section = {2.0, 3.0};
  f.extinction = {2.5, 3.25};
  o.of<FarFieldResult>().push_back(f);
}

inline void add_frames(Outcome& o, int count) {
  const auto& g = o.grid;
  for (int n = 0; n < count; ++n) {
    Snapshot s{"movie",       g.mode == Mode::te ? Hz : Ez, 10L * n,
               10 * n * g.dt, {g.cells[0], g.cells[1], 1},  {}};
    for (int j = 0; j < g.cells[1]; ++j)
      for (int i = 0; i < g.cells[0]; ++i)
        s.values.push_back(float(ring_field(g, g.position(s.component, {i, j, 0}), 2 * pi * n / count)));
    o.frames.push_back(s);
    if (n % 5 == 0) o.snapshots.push_back(s);
  }
}

inline void add_case(Outcome& o) {
  auto& s = o.simulation;
  const auto& g = o.grid;
  const double half = 0.5 * g.dx * g.cells[0], tall = 0.5 * g.dx * g.cells[1];
  o.machine.command_line = "umov fdtd ring.png";
  SourceSpec point;
  point.name = "dipole";
  point.waveform.kind = Waveform::Kind::gaussian;
  point.waveform.frequency = 0.15;
  point.center = {0.475 * half, 0.1, 0};
  s.sources.push_back(point);
  const auto monitor = [&](MonitorSpec::Kind kind, const char* name, Vec3 center, Vec3 size) {
    MonitorSpec m;
    m.kind = kind;
    m.name = name;
    m.center = center;
    m.size = size;
    s.monitors.push_back(m);
  };
  monitor(MonitorSpec::Kind::resonance, "probe", {-0.475 * half, 0.2, 0}, {});
  monitor(MonitorSpec::Kind::flux, "front", {-0.7 * half, 0, 0}, {0, 1.2 * tall, 0});
  monitor(MonitorSpec::Kind::flux, "behind", {0.7 * half, 0, 0}, {0, 1.2 * tall, 0});
  monitor(MonitorSpec::Kind::near_to_far, "outside", {}, {1.5 * half, 1.5 * tall, 0});
}

/// Ring resonator with every kind of result.
inline Outcome sample_fdtd(Mode mode, Int3 cells) {
  Outcome o;
  o.grid = sample_grid(mode, cells);
  o.steps = 4000;
  o.time = 4000 * o.grid.dt;
  o.stop_reason = "the fields decayed";
  o.backend = "cpu";
  o.device = "test device";
  o.version = "0.0";
  o.seconds = 2.5;
  o.notes = {"25 cells per wavelength in permittivity 9"};
  add_case(o);
  const Grid& g = o.grid;
  o.permittivity = block_of(g, Ez, {}, g.cells, [&](Vec3 r) {
    for (int a = 0; a < dimensions(g.mode); ++a) r[a] += 0.5 * g.dx;
    return ring_permittivity(g, r);
  });
  add_final_fields(o);
  add_spectra(o);
  add_fourier(o);
  add_far_field(o);
  if (dimensions(mode) == 2) add_frames(o, 20);
  return o;
}

}  // namespace umov::fdtd
