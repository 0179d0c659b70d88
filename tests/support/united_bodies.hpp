// Bodies that are others together, and what scenes of them say differently.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "fdtd/scene.hpp"
#include "support/fdtd_cases.hpp"
#include "support/fdtd_runs.hpp"

namespace umov::test::united {

using namespace fdtd;

inline constexpr double dx = 0.1;

inline BodySpec box(const Vec3& low, const Vec3& high, const std::string& material = "glass") {
  auto b = body("box", material, 0.5 * (low + high));
  b.size = high - low;
  return b;
}

inline BodySpec prism(const std::vector<Vec3>& vertices, double height) {
  auto b = body("prism", "glass", {0.013, 0.007, 0.004});
  b.vertices = vertices;
  b.height = height;
  return b;
}

inline Simulation scene_of(const std::vector<BodySpec>& bodies, const Vec3& size = {2, 2, 2}) {
  Simulation s = test::checked_case(size, 1 / dx);
  s.materials = {test::constant("glass", 6.25), test::constant("other", 2), test::constant("air", 1)};
  s.bodies = bodies;
  return s;
}

inline double share_of(const Mixture& m, int material) {
  double sum = 0;
  for (const auto& s : m) sum += s.material == material ? s.fraction : 0;
  return sum;
}

/// What two scenes say differently in boxes of a cell's size around the places of components and nodes.
struct Difference {
  double share = 0;   ///< largest of a cell
  double normal = 0;  ///< largest, of its entry of eps^-1: weighted by what the cell's mixture makes of it
  int mixed = 0;      ///< cells that hold both
};
inline Difference difference(const Simulation& one, const Simulation& other) {
  const auto a = make_scene(one), b = make_scene(other);
  const int n = 32, flat = one.size[2] == 0;
  Difference d;
  Mixture m;
  for (int k = flat ? 0 : -n / 2; k <= (flat ? 0 : n / 2); ++k)
    for (int j = -n / 2; j <= n / 2; ++j)
      for (int i = -n / 2; i <= n / 2; ++i) {
        const Vec3 p = 0.5 * dx * Vec3{double(i), double(j), double(k)};
        const Vec3 half = 0.5 * dx * Vec3{1, 1, flat ? 0.0 : 1.0};
        a->shares(p - half, p + half, m);
        const double share = share_of(m, 1);
        b->shares(p - half, p + half, m);
        d.share = std::max(d.share, std::fabs(share - share_of(m, 1)));
        if (std::min(share, 1 - share) < 1e-9) continue;
        ++d.mixed;
        const Vec3 u = a->normal(p), v = b->normal(p);
        for (int c = 0; c < 3; ++c)
          for (int e = c; e < 3; ++e)
            d.normal = std::max(d.normal, 4 * share * (1 - share) * std::fabs(u[c] * u[e] - v[c] * v[e]));
      }
  return d;
}

inline const Vec3 low{-0.37, -0.24, -0.163}, high{0.46, 0.27, 0.207};

inline Vec3 with(Vec3 v, int axis, double x) {
  v[axis] = x;
  return v;
}

/// A box cut along axes at these places.
inline std::vector<BodySpec> pieces(const std::array<std::vector<double>, 3>& cuts) {
  std::vector<std::pair<Vec3, Vec3>> all{{low, high}};
  for (int a = 0; a < 3; ++a) {
    std::vector<std::pair<Vec3, Vec3>> next;
    for (const auto& [lo, hi] : all) {
      double from = lo[a];
      for (const double x : cuts[a]) next.push_back({with(lo, a, from), with(hi, a, x)}), from = x;
      next.push_back({with(lo, a, from), hi});
    }
    all = next;
  }
  std::vector<BodySpec> bodies;
  for (const auto& [lo, hi] : all) bodies.push_back(box(lo, hi));
  return bodies;
}

/// Largest difference of the painted coefficients, and of the tensor's entries, of two cases.
inline void expect_painted_alike(const Simulation& one, const Simulation& other) {
  const Problem a = test::painted(one), b = test::painted(other);
  for (int c = 0; c < components; ++c) {
    ASSERT_EQ(a.material[c].size(), b.material[c].size()) << c;
    for (std::size_t i = 0; i < a.material[c].size(); ++i) {
      const auto &u = a.coefficients[a.material[c][i]], &v = b.coefficients[b.material[c][i]];
      ASSERT_NEAR(u.drive, v.drive, 1e-7) << c << ' ' << i;
      ASSERT_NEAR(u.decay, v.decay, 1e-7) << c << ' ' << i;
    }
  }
}

}  // namespace umov::test::united
