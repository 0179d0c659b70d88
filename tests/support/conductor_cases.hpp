// Cavities in perfect conductors and bodies of them, at any place in the cells.
#pragma once

#include <random>

#include "support/fdtd_cases.hpp"

namespace umov::test {

/// A hole in a block of conductor that fills the domain. `hole` is a body of vacuum; extents of the domain
/// beyond the first are 0 for fewer dimensions.
inline fdtd::Simulation cavity(const Vec3& domain, double resolution, const fdtd::BodySpec& hole) {
  fdtd::Simulation s;
  s.size = domain;
  s.resolution = resolution;
  s.walls = all_walls(fdtd::WallKind::pec);
  s.precision = fdtd::Precision::double_;
  s.bodies.resize(2);
  s.bodies[0].material = "pec";
  s.bodies[1] = hole;
  s.bodies[1].material = "vacuum";
  return s;
}

inline fdtd::BodySpec box_of(const Vec3& size, const Vec3& center, double rotation = 0,
                             const Vec3& axis = {0, 0, 1}) {
  fdtd::BodySpec b;
  b.size = size;
  b.center = center;
  b.rotation = rotation;
  b.axis = axis;
  return b;
}

inline fdtd::BodySpec round_body(const std::string& shape, double radius, const Vec3& center) {
  fdtd::BodySpec b;
  b.shape = shape;
  b.radius = radius;
  b.center = center;
  return b;
}

/// As a run paints: the walls are known then.
inline fdtd::Problem walled(const fdtd::Simulation& s) {
  const auto scene = fdtd::make_scene(s);
  fdtd::Problem p;
  p.grid = make_grid(s, *scene);
  p.precision = s.precision;
  set_walls(s, p);
  paint(s, *scene, p);
  return p;
}

inline Vec3 random_offset(std::mt19937& random, double reach) {
  std::uniform_real_distribution<double> draw(-reach, reach);
  return {draw(random), draw(random), draw(random)};
}

}  // namespace umov::test
