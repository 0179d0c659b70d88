// Small empty problems for tests of sources: a grid in one medium, with absorbing layers where wanted.
#pragma once

#include <cmath>
#include <memory>

#include "fdtd/engine.hpp"
#include "fdtd/problem.hpp"
#include "fdtd/scene.hpp"

namespace umov::fdtd::support {

/// A cubic profile without kappa and alpha.
inline PmlSide absorber(int layers, const Grid& g, double index) {
  PmlSide side;
  side.layers = layers;
  const double sigma = 0.8 * 4 / g.dx / index;
  const auto profile = [&](double from_outer_end, PmlSide::Terms& t) {
    const double s = sigma * std::pow(1 - from_outer_end / layers, 3);
    const double b = std::exp(-s * g.dt);
    t.b.push_back(b);
    t.c.push_back(b - 1);
    t.kappa_inverse.push_back(1);
  };
  for (int q = 0; q < layers; ++q) {
    profile(q, side.node);
    profile(q + 0.5, side.half);
  }
  return side;
}

struct Setting {
  Mode mode = Mode::tm;
  Int3 cells{1, 1, 1};
  double dx = 1, courant = 0.9, eps = 1;
  int layers = 10;
};

/// Domain centred at the origin; material 0 for E, 1 for H.
inline Problem empty_problem(const Setting& s) {
  Problem p;
  p.precision = Precision::double_;
  p.grid.mode = s.mode;
  p.grid.cells = s.cells;
  p.grid.dx = s.dx;
  p.grid.dt = s.courant * s.dx / std::sqrt(double(dimensions(s.mode)));
  for (int a = 0; a < 3; ++a)
    if (p.grid.active(a)) p.grid.origin[a] = -0.5 * s.cells[a] * s.dx;
  p.coefficients = {{1, p.grid.dt / s.dx / s.eps}, {1, p.grid.dt / s.dx}};
  p.uniform = {0, 0, 0, 1, 1, 1};
  for (int a = 0; a < 3; ++a)
    if (p.grid.active(a))
      for (int side = 0; side < 2; ++side) p.pml[a][side] = absorber(s.layers, p.grid, std::sqrt(s.eps));
  return p;
}

/// Gives one axis periodic walls without layers.
inline void make_periodic(Problem& p, int axis, double phase = 0) {
  p.walls[axis] = {Closure::periodic, Closure::periodic};
  p.pml[axis] = {};
  p.bloch_phase[axis] = phase;
  if (phase != 0) p.complex_fields = true;
}

/// A scene that no source looks at.
struct NoScene : Scene {
  std::vector<materials::Material> none{materials::Material{}};
  const std::vector<materials::Material>& materials() const override { return none; }
  int material_at(const Vec3&) const override { return 0; }
  bool mixed(const Vec3&, const Vec3&) const override { return false; }
  void shares(const Vec3&, const Vec3&, Mixture& m) const override { m = {{0, 1}}; }
  Vec3 normal(const Vec3&) const override { return {0, 0, 0}; }
};

inline void add_source(const SourceSpec& spec, Problem& p) {
  Simulation sim;
  sim.sources = {spec};
  add_sources(sim, NoScene(), p);
}

inline std::unique_ptr<Engine> serial_engine(const Problem& p) {
  EngineRequest request;
  request.backend = "serial";
  return make_engine(p, request);
}

inline cplx at(const Engine& e, Component c, const Int3& cell) {
  const auto block = e.field(c, cell, {cell[0] + 1, cell[1] + 1, cell[2] + 1});
  return {block.real[0], block.imag.empty() ? 0.0 : block.imag[0]};
}

}  // namespace umov::fdtd::support
