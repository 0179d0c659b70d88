// Cylinders and spheres lit by a plane wave: efficiencies from the fields on a box around them.
#pragma once

#include "fdtd/monitors/near_to_far.hpp"
#include "support/fdtd_runs.hpp"
#include "support/machines.hpp"

namespace umov::test {

/// Cross sections divided by the geometric one, per frequency.
struct Efficiencies {
  std::vector<double> scattering, extinction;
};

/// A body of radius 1: the total field ends 0.3 outside it, the far field is taken at 0.6 and the layers
/// begin at `gap`.
struct ScatteringCase {
  double resolution = 10;
  std::vector<double> x;         ///< size parameters, one run for all
  double center = 0, width = 0;  ///< of the pulse, in k a
  fdtd::MaterialSpec material;
  double decay = 1e-9;  ///< of the energy; what is cut off of the fields is its root

  double gap = 1;

  double absorber() const { return 1 + gap + 10 / resolution; }
  std::vector<double> frequencies() const {
    std::vector<double> f;
    for (const double k : x) f.push_back(k / (2 * pi));
    return f;
  }
  fdtd::Waveform waveform() const { return pulse(center / (2 * pi), width); }
};

inline constexpr cplx silver_like_index{0.05, 3.8898};

/// A Drude pole whose permittivity is that index squared at k a = 1: 1 - eps = wp^2 / (w (w + i gamma)).
inline ScatteringCase silver_like_body() {
  const cplx missing = 1.0 - silver_like_index * silver_like_index;
  ScatteringCase c;
  c.x = {1};
  c.center = 1;
  c.width = 0.2;
  c.material = constant("metal", 1);
  const double gamma = -missing.imag() / missing.real(), strength = missing.real() - missing.imag() * gamma;
  c.material.constants.poles = {{materials::Pole::Kind::drude, strength, 0, gamma, 0}};
  // Plasmons of the staircase ring on, hardly coupled to anything: cut off at 1e-3 they change Qsca by 1e-4.
  c.decay = 1e-4;
  return c;
}

/// Both efficiencies out of one run; 2D and 3D differ in the area that a unit of Q stands for.
inline Efficiencies scattering_run(fdtd::Simulation s, const ScatteringCase& c, double area) {
  const double box = 3.2;
  auto m = monitor(fdtd::MonitorSpec::Kind::near_to_far, "scattered", {0, 0, 0},
                   {box, box, s.size[2] > 0 ? box : 0}, c.frequencies());
  m.own<fdtd::NearToFarSpec>() = {{90}, {0}};
  s.monitors = {m};
  const auto out = fdtd::run(s, umov::test::one_thread);
  const auto& far = out.of<fdtd::FarFieldResult>()[0];
  Efficiencies q;
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    q.scattering.push_back(far.scattering_cross_section[i] / area);
    q.extinction.push_back(far.extinction[i] / area);
  }
  return q;
}

/// Infinite cylinder; E along its axis, or H when `te`.
inline Efficiencies cylinder_run(const ScatteringCase& c, bool te) {
  const double side = 2 * c.absorber();
  auto s = checked_case({side, side, 0}, c.resolution, c.decay);
  s.te = te;
  s.materials = {c.material};
  s.bodies = {ball("cylinder", c.material.name, 1)};
  s.sources = {plane_wave(c.waveform(), 0, {2.6, 2.6, 0})};
  return scattering_run(s, c, 2);
}

/// Sphere, of which a quarter is computed: the wave travels along x with E along z, so y = 0 is a magnetic
/// wall and z = 0 an electric one.
inline Efficiencies sphere_run(const ScatteringCase& c) {
  const double side = 2 * c.absorber();
  auto s = checked_case({side, side, side}, c.resolution, c.decay);
  s.precision = fdtd::Precision::single_;
  s.walls[1][0] = fdtd::WallKind::mirror_even;
  s.walls[2][0] = fdtd::WallKind::mirror_odd;
  s.materials = {c.material};
  s.bodies = {ball("sphere", c.material.name, 1)};
  s.sources = {plane_wave(c.waveform(), 0, {2.6, 2.6, 2.6})};
  return scattering_run(s, c, pi);
}

}  // namespace umov::test
