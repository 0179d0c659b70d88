// Small cases in the time domain that several tests share.
#pragma once

#include "fdtd/scene.hpp"

namespace umov::test {

inline fdtd::MaterialSpec constant(const std::string& name, double eps) {
  fdtd::MaterialSpec m;
  m.name = name;
  m.constants.eps = {eps, eps, eps};
  return m;
}

inline std::array<std::array<fdtd::WallKind, 2>, 3> all_walls(fdtd::WallKind w) {
  return {{{w, w}, {w, w}, {w, w}}};
}

inline fdtd::BodySpec body(const std::string& shape, const std::string& material, const Vec3& center) {
  fdtd::BodySpec b;
  b.shape = shape;
  b.material = material;
  b.center = center;
  return b;
}

/// A closed box in vacuum with one body (a box through the whole domain) of glass, eps 4.
inline fdtd::Simulation glass_case(const Vec3& size, double resolution) {
  fdtd::Simulation s;
  s.size = size;
  s.resolution = resolution;
  s.walls = all_walls(fdtd::WallKind::pec);
  s.materials = {constant("glass", 4)};
  s.bodies.emplace_back();
  s.bodies[0].material = "glass";
  return s;
}

inline fdtd::Problem painted(const fdtd::Simulation& s) {
  const auto scene = fdtd::make_scene(s);
  fdtd::Problem p;
  p.grid = make_grid(s, *scene);
  paint(s, *scene, p);
  return p;
}

}  // namespace umov::test
