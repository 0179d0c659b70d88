// Symmetry of voxels under proper rotations, and periods of the Euler angles.
#include "dda/observables/orientation_symmetry.hpp"

#include <algorithm>
#include <cmath>

namespace umov::dda {
namespace {

/// Whether the site that `image` makes of each site holds the same material.
template <class Image>
bool maps_on_itself(const shapes::Particle& p, Image image) {
  const auto [nx, ny, nz] = p.box;
  const auto at = [&](const Int3& s) { return p.material[(std::size_t(s[2]) * ny + s[1]) * nx + s[0]]; };
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        if (at({x, y, z}) != at(image(x, y, z))) return false;
  return true;
}

/// Alike along x and y: lattice and materials.
bool square(const shapes::Particle& p, std::span<const CVec3> m) {
  for (const CVec3& index : m)
    if (index[0] != index[1]) return false;
  return p.box[0] == p.box[1] && p.spacing[0] == p.spacing[1];
}

bool whole_number(double x) { return x > 0.5 && std::abs(x - std::round(x)) < 1e-12; }

bool whole_turns(const IntegrationAngle& a, double period) {
  return a.axis.intervals > 0 && a.axis.equivalent && a.axis.periodic &&
         whole_number((a.max - a.min) / period);
}

IntegrationAngle with_range(const IntegrationAngle& a, double min, double max, bool in_cosine) {
  IntegrationSpec s{min, max, a.axis.jmin, a.axis.jmax, a.axis.eps, a.axis.equivalent, a.axis.periodic};
  return make_integration_angle(s, in_cosine, "angles of a symmetric particle");
}

void check_by_shift(IntegrationAngle& a) {
  const double shift = shift_of_check * (a.max - a.min);
  for (std::size_t i = 0; i < a.axis.intervals; ++i) a.values.push_back(a.values[i] + shift);
  a.axis.checked = true;
}

}  // namespace

Turns turns_of(const shapes::Particle& p, std::span<const CVec3> m) {
  const int right = p.box[0] - 1, back = p.box[1] - 1, top = p.box[2] - 1;
  using S = Int3;
  Turns t;
  if (maps_on_itself(p, [=](int x, int y, int z) { return S{right - x, back - y, z}; })) t.about_z = 2;
  t.over = maps_on_itself(p,
                          [=](int x, int y, int z) {
                            return S{x, back - y, top - z};
                          }) ||
           maps_on_itself(p, [=](int x, int y, int z) {
             return S{right - x, y, top - z};
           });
  if (!square(p, m)) return t;
  if (maps_on_itself(p, [=](int x, int y, int z) { return S{back - y, x, z}; })) t.about_z = 4;
  t.over = t.over ||
           maps_on_itself(p,
                          [=](int x, int y, int z) {
                            return S{y, x, top - z};
                          }) ||
           maps_on_itself(p, [=](int x, int y, int z) {
             return S{back - y, right - x, top - z};
           });
  return t;
}

OrientationAngles use_turns(OrientationAngles a, const Turns& turns) {
  const double period = 360.0 / turns.about_z;
  if (!whole_turns(a.gamma, period)) return a;
  a.gamma = with_range(a.gamma, a.gamma.min, a.gamma.min + period, false);
  check_by_shift(a.gamma);
  if (turns.over && a.beta.min == 0 && a.beta.max == 180 && whole_turns(a.alpha, 360))
    a.beta = with_range(a.beta, 0, 90, true);
  return a;
}

bool estimate_is_blind(const OrientationAngles& a, const Turns& turns) {
  if (!whole_turns(a.gamma, 360) || turns.about_z == 1) return false;
  return turns.about_z % (1 << std::min(a.gamma.axis.jmin, 8)) == 0;
}

}  // namespace umov::dda
