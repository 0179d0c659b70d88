// An engine whose Fourier transforms are those of given fields, and empty space: monitors without time steps.
#pragma once

#include <functional>
#include <memory>

#include "fdtd/observables/monitors.hpp"

namespace umov::test {

/// Phasor of a component at a place for a frequency.
using PhasorField = std::function<cplx(fdtd::Component, const Vec3&, double)>;

class FieldEngine : public fdtd::Engine {
 public:
  FieldEngine(fdtd::Problem p, PhasorField field) : p_(std::move(p)), field_(std::move(field)) {}
  std::string device() const override { return "given fields"; }
  long step() const override { return 0; }
  void advance(long) override {}
  std::vector<double> drain(int) override { return {}; }
  std::vector<cplx> fourier(int a) const override {
    const fdtd::FourierAccumulator& f = p_.fouriers.at(a);
    std::vector<cplx> values;
    for (const double frequency : f.frequencies)
      for (const index_t cell : f.cells)
        values.push_back(field_(f.component, p_.grid.position(f.component, cell_at(cell)), frequency));
    return values;
  }
  fdtd::FieldWatch watch() const override { return {}; }
  fdtd::FieldBlock field(fdtd::Component, const Int3&, const Int3&) const override { return {}; }
  std::vector<float> sample(const fdtd::FieldSample&) const override { return {}; }
  void set_field(fdtd::Component, const Int3&, const fdtd::FieldBlock&) override {}
  std::vector<std::byte> save() const override { return {}; }
  void restore(const std::vector<std::byte>&) override {}
  void join(const fdtd::Border&) override {}
  std::size_t bytes() const override { return 0; }

 private:
  /// Inverse of Layout::at, ghosts on the low side included.
  Int3 cell_at(index_t index) const {
    const fdtd::Layout l(p_.grid);
    const int dims = fdtd::dimensions(p_.grid.mode);
    index_t rest = index - l.base + 1;  // one ghost along x
    if (dims > 1) rest += l.pitch;
    if (dims > 2) rest += l.plane;
    Int3 c{0, 0, 0};
    if (dims > 2) c[2] = int(rest / l.plane) - 1, rest %= l.plane;
    if (dims > 1) c[1] = int(rest / l.pitch) - 1, rest %= l.pitch;
    c[0] = int(rest) - 1;
    return c;
  }
  fdtd::Problem p_;
  PhasorField field_;
};

class EmptyScene : public fdtd::Scene {
 public:
  explicit EmptyScene(double eps = 1) : materials_(1) { materials_[0].eps = {eps, eps, eps}; }
  const std::vector<materials::Material>& materials() const override { return materials_; }
  int material_at(const Vec3&) const override { return 0; }
  bool mixed(const Vec3&, const Vec3&) const override { return false; }
  void shares(const Vec3&, const Vec3&, fdtd::Mixture& m) const override { m = {{0, 1}}; }
  Vec3 normal(const Vec3&) const override { return {0, 0, 0}; }

 private:
  std::vector<materials::Material> materials_;
};

/// A cube (square, line) of the given edge about the origin without absorbing layers, at half the Courant
/// limit.
inline fdtd::Problem free_problem(fdtd::Mode mode, double edge, double dx) {
  fdtd::Problem p;
  p.grid.mode = mode;
  p.grid.dx = dx;
  p.grid.dt = 0.5 * dx / std::sqrt(double(fdtd::dimensions(mode)));
  for (int a = 0; a < fdtd::dimensions(mode); ++a) {
    p.grid.cells[a] = int(std::lround(edge / dx));
    p.grid.origin[a] = -dx * p.grid.cells[a] / 2;
  }
  p.coefficients.push_back({1, p.grid.dt / dx});
  return p;
}

/// What the monitors of a case make of given fields.
inline fdtd::Outcome observe(const fdtd::Simulation& sim, fdtd::Problem p, const PhasorField& field,
                             const PhasorField& reference = nullptr) {
  const EmptyScene scene;
  const fdtd::Monitors monitors(sim, scene, p);
  fdtd::Outcome out;
  if (reference) {
    const auto r = monitors.reference(FieldEngine(p, reference));
    monitors.collect(FieldEngine(p, field), &r, out);
  } else {
    monitors.collect(FieldEngine(p, field), nullptr, out);
  }
  return out;
}

}  // namespace umov::test
