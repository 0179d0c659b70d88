// Small time-domain problems for tests: vacuum boxes, random materials, signals, comparison of engines.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "fdtd/engine.hpp"
#include "fdtd/pml_profile.hpp"
#include "fdtd/ranges.hpp"

namespace umov::fdtd::trial {

/// Vacuum between electric walls; dx = 1, time step `courant` of the limit 1 / sqrt(dimensions).
inline Problem vacuum(Mode mode, Int3 cells, Precision precision = Precision::double_, double courant = 0.9) {
  Problem p;
  p.grid.mode = mode;
  p.grid.cells = cells;
  p.grid.dx = 1;
  p.grid.dt = courant / std::sqrt(double(dimensions(mode)));
  p.precision = precision;
  p.coefficients = {{1, p.grid.dt}};
  return p;
}

inline std::array<std::array<Closure, 2>, 3> all_walls(Closure c) { return {{{c, c}, {c, c}, {c, c}}}; }

/// Absorbing layers at both walls of an axis.
inline void add_pml(Problem& p, int axis, int layers = 10, double index = 1) {
  PmlSettings settings;
  settings.layers = layers;
  for (auto& side : p.pml[axis]) side = make_pml(settings, p.grid.dx, p.grid.dt, index);
}

inline std::unique_ptr<Engine> engine_for(const Problem& p, const std::string& backend = "serial",
                                          int threads = 0, bool tuned = false) {
  EngineRequest r;
  r.backend = backend;
  r.threads = threads;
  r.tuned = tuned;
  return make_engine(p, r);
}

/// A component over its update box.
inline FieldBlock values(const Engine& e, const Problem& p, Component c) {
  const Box b = update_box(p, c);
  return e.field(c, b.lo, b.hi);
}
template <class Visit>
void for_each_cell(const Box& b, const Visit& f) {
  for (int k = b.lo[2]; k < b.hi[2]; ++k)
    for (int j = b.lo[1]; j < b.hi[1]; ++j)
      for (int i = b.lo[0]; i < b.hi[0]; ++i) f(Int3{i, j, k});
}
/// Sets a component where it is updated: value(place) with place in cells from the node (0, 0, 0).
template <class Value>
void set_values(Engine& e, const Problem& p, Component c, const Value& value) {
  const Box b = update_box(p, c);
  FieldBlock block;
  for (int a = 0; a < 3; ++a) block.size[a] = b.hi[a] - b.lo[a];
  for_each_cell(b, [&](const Int3& n) {
    Vec3 at;
    for (int a = 0; a < 3; ++a) at[a] = n[a] + p.grid.offset(c, a);
    const cplx v = value(at);
    block.real.push_back(v.real());
    if (p.complex_fields) block.imag.push_back(v.imag());
  });
  e.set_field(c, b.lo, block);
}
inline void set_noise(Engine& e, const Problem& p, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int c = 0; c < components; ++c)
    if (has_component(p.grid.mode, c))
      set_values(e, p, Component(c), [&](const Vec3&) { return cplx(uniform(random), uniform(random)); });
}

/// A table of one column: f(step).
template <class Signal>
SourceTable signal_table(Signal f) {
  return {1, [f](long first, long steps, double* to) {
            for (long s = 0; s < steps; ++s) to[s] = f(first + s);
          }};
}
inline SourceGroup point_source(const Problem& p, Component c, const Int3& at, int table = 0) {
  SourceGroup g;
  g.component = c;
  g.table = table;
  g.cells = {Layout(p.grid).at(at)};
  g.columns = {0};
  g.weights = {1};
  return g;
}
inline Recorder point_recorder(const Problem& p, Component c, const Int3& at) {
  Recorder r;
  r.component = c;
  r.cells = {Layout(p.grid).at(at)};
  r.weights = {1};
  r.first = {0, 1};
  return r;
}

}  // namespace umov::fdtd::trial
