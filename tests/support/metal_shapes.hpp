// Bodies of metal, conductor and glass in awkward places, for tests of symmetry and of periodicity.
#pragma once

#include "fdtd/engine.hpp"
#include "fdtd/model/extent.hpp"
#include "support/conductor_cases.hpp"
#include "support/fdtd_runs.hpp"

namespace umov::test {

inline constexpr const char* metal_media[] = {"silver", "sea", "c-Si", "glass", "pec"};

/// A closed box of vacuum, 40 cells (in space 20) along each edge of 0.4 um.
inline fdtd::Simulation metal_box_case(int dimensions, bool te) {
  fdtd::Simulation s;
  s.size = {0.4, 0.4, dimensions == 3 ? 0.4 : 0};
  s.resolution = dimensions == 3 ? 50 : 100;
  s.te = te;
  s.precision = fdtd::Precision::double_;
  s.walls = all_walls(fdtd::WallKind::pec);
  auto sea = constant("sea", 3);
  sea.constants.sigma = {60, 60, 60};
  s.materials = {constant("glass", 2.25), sea};
  return s;
}

inline constexpr int metal_shapes = 9;
/// Bodies that are symmetric about the plane through 0 across `axis`, off the grid along the others.
inline std::vector<fdtd::BodySpec> metal_bodies(int shape, int axis, int dimensions, double dx) {
  const bool solid = dimensions == 3;
  Vec3 off{0.3 * dx, 0.41 * dx, solid ? 0.2 * dx : 0}, thickness{0, 0, 0};
  off[axis] = 0;
  const auto size = [&](double x, double y, double z) { return Vec3{x, y, solid ? z : 0}; };
  switch (shape) {
    case 0: {
      auto b = round_body("sphere", 0.083, off);
      return {b};
    }
    case 1:
      return {box_of(size(0.113, 0.137, 0.127), off)};
    case 2:  // its corners lie on the plane
      return {box_of(size(0.113, 0.113, 0.127), off, 45)};
    case 3:  // a film in the plane, thinner than two cells
      thickness[axis] = 0.0131;
      return {box_of(thickness, {0, 0, 0})};
    case 4:
      thickness[axis] = 0.0831;
      return {box_of(thickness, {0, 0, 0})};
    case 5:
      thickness[(axis + 1) % dimensions] = 0.0431;
      return {box_of(thickness, off)};
    case 6:  // faces on nodes
      return {box_of(size(0.12, 0.12, 0.12), {0, 0, 0})};
    case 7: {
      auto b = box_of(size(0.2, 0.11, 0.13), off);
      b.shape = "ellipsoid";
      if (!solid) b.size = Vec3{0.2, 0.11, 0.1};
      return {b};
    }
    default: {  // a pair, one on either side
      auto b = box_of(size(0.051, 0.071, 0.067), {0.07, 0.06, solid ? 0.05 : 0}), image = b;
      image.center[axis] *= -1;
      return {b, image};
    }
  }
}

struct Stepped {
  std::unique_ptr<fdtd::Problem> problem;
  std::unique_ptr<fdtd::Engine> engine;
};
inline Stepped stepped(const fdtd::Simulation& s, long steps) {
  Stepped run{std::make_unique<fdtd::Problem>(walled(s)), nullptr};
  add_sources(s, *make_scene(s), *run.problem);
  run.engine = make_engine(*run.problem, {"cpu", 1});
  run.engine->advance(steps);
  return run;
}

}  // namespace umov::test
