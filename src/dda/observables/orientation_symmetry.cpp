// Symmetry of voxels under proper rotations, and periods of the Euler angles.
#include "dda/observables/orientation_symmetry.hpp"

#include <algorithm>
#include <cmath>

namespace umov::dda {
namespace {

/// The occupied part of the box: first and last sites along each axis.
struct Bounds {
  Int3 first, last;
};

int site(const shapes::Particle& p, const Int3& s) {
  return p.material[(std::size_t(s[2]) * p.box[1] + s[1]) * p.box[0] + s[0]];
}

Bounds bounds_of(const shapes::Particle& p) {
  Bounds b{p.box, {-1, -1, -1}};
  for (int z = 0; z < p.box[2]; ++z)
    for (int y = 0; y < p.box[1]; ++y)
      for (int x = 0; x < p.box[0]; ++x) {
        const Int3 s{x, y, z};
        if (site(p, s) == 0) continue;
        for (int c = 0; c < 3; ++c)
          b.first[c] = std::min(b.first[c], s[c]), b.last[c] = std::max(b.last[c], s[c]);
      }
  return b;
}

/// Whether the site that `image` makes of each one within the bounds holds the same material; sites count
/// from the first.
template <class Image>
bool maps_on_itself(const shapes::Particle& p, const Bounds& b, Image image) {
  const auto at = [&](const Int3& s) {
    return site(p, {s[0] + b.first[0], s[1] + b.first[1], s[2] + b.first[2]});
  };
  for (int z = 0; z <= b.last[2] - b.first[2]; ++z)
    for (int y = 0; y <= b.last[1] - b.first[1]; ++y)
      for (int x = 0; x <= b.last[0] - b.first[0]; ++x)
        if (at({x, y, z}) != at(image(x, y, z))) return false;
  return true;
}

/// Alike along x and y: extent, lattice and materials.
bool square(const shapes::Particle& p, const Bounds& b, std::span<const CVec3> m) {
  for (const CVec3& index : m)
    if (index[0] != index[1]) return false;
  return b.last[0] - b.first[0] == b.last[1] - b.first[1] && p.spacing[0] == p.spacing[1];
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
  const Bounds b = bounds_of(p);
  const int right = b.last[0] - b.first[0], back = b.last[1] - b.first[1], top = b.last[2] - b.first[2];
  const auto maps = [&](auto image) { return maps_on_itself(p, b, image); };
  using S = Int3;
  Turns t;
  for (int c = 0; c < 3; ++c) t.centred = t.centred && b.first[c] + b.last[c] == p.box[c] - 1;
  if (maps([=](int x, int y, int z) { return S{right - x, back - y, z}; })) t.about_z = 2;
  t.over = maps([=](int x, int y, int z) {
             return S{x, back - y, top - z};
           }) ||
           maps([=](int x, int y, int z) {
             return S{right - x, y, top - z};
           });
  if (!square(p, b, m)) return t;
  if (maps([=](int x, int y, int z) { return S{back - y, x, z}; })) t.about_z = 4;
  t.over = t.over || maps([=](int x, int y, int z) {
             return S{y, x, top - z};
           }) ||
           maps([=](int x, int y, int z) {
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
