// Where a conductor is so thin that both of its sides lie in one cell.
#include <cmath>

#include "fdtd/model/layered_scene.hpp"
#include "fdtd/model/nearest_face.hpp"

namespace umov::fdtd {
namespace {

/// No edge (one dimension) and no face (its diagonal) reaches through a conductor of this thickness, in
/// cells.
double thickest(Mode mode) { return mode == Mode::one ? 1.0 : 1.42; }
/// Steps into the conductor and distance of the two sides of a surface, in cells.
constexpr double stride = 0.1, apart = 1e-5;
/// Where another body meets a surface, in cells: as far from it as what is thinner than a gap.
constexpr double meets = 0.02;
/// A conductor of exactly a step's thickness is as thick as the step, seen from either side.
constexpr double step_short = 1 - 1e-4;

}  // namespace

bool LayeredScene::conducting(const Vec3& point) const {
  // Surfaces at an angle that symmetric places lie on must not fall to either side: less than `apart`.
  const double on_surface = 1e-6 * extent_.dx;
  const Vec3 p = in_domain(point);
  for (int b : bodies_.near(p, p)) {
    if (bodies_.apart(b, p, p)) continue;
    const bool conductor = materials_[bodies_[b].material].perfect_conductor;
    if (bodies_[b].body->probe(p).distance < (conductor ? on_surface : -on_surface)) return conductor;
  }
  return materials_[ground_->material_at(clamped(point))].perfect_conductor;
}

/// Whether a point three quarters of a cell off along every axis is in a conductor: where no surface was
/// found, a corner of something thick.
bool LayeredScene::conductor_near(const Vec3& center) const {
  const int dim = dimensions(extent_.mode);
  for (int corner = 0; corner < 1 << dim; ++corner) {
    Vec3 p = center;
    for (int a = 0; a < dim; ++a) p[a] += ((corner >> a) & 1 ? 0.75 : -0.75) * extent_.dx;
    if (conducting(p)) return true;
  }
  return false;
}

bool LayeredScene::thin_conductor(const Vec3& lo, const Vec3& hi) const {
  const Vec3 center = 0.5 * (lo + hi);
  const double reach = norm(hi - lo) / 2 + 0.01 * extent_.dx;
  bool seen = false;
  const Vec3 around = reach * Vec3{1, 1, 1};
  for (int b : bodies_.near(lo, hi)) {
    if (bodies_.apart(b, center - around, center + around)) continue;
    const auto& body = *bodies_[b].body;
    const auto foot = foot_of(body, center, extent_);
    if (!foot || !(norm(foot->at - center) <= reach)) continue;
    const Vec3& x = foot->at;
    Vec3 inward = -1.0 * foot->normal;
    const bool inside = conducting(x + (apart * extent_.dx) * inward),
               outside = conducting(x - (apart * extent_.dx) * inward);
    if (inside == outside) continue;  // covered by other bodies, or no conductor's surface
    if (outside) inward = -1.0 * inward;
    seen = true;
    // at a corner that other bodies continue across the surface is theirs, too
    if (doubtful(b, x, meets * extent_.dx))
      if (const Vec3 n = body_normal(x - (apart * extent_.dx) * inward); dot(n, n) > 0)
        inward = (dot(n, inward) < 0 ? -1.0 : 1.0) * n;
    for (double depth = stride; depth <= thickest(extent_.mode); depth += stride)
      if (!conducting(x + (step_short * depth * extent_.dx) * inward)) return true;
  }
  return !seen && !conductor_near(center);
}

}  // namespace umov::fdtd
