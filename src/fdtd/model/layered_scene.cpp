// A scene of bodies over a ground, later ones over earlier ones.
#include "fdtd/model/layered_scene.hpp"

#include <algorithm>

#include "fdtd/model/cut_box.hpp"

namespace umov::fdtd {
namespace {

/// Halvings of a box at kinks and where surfaces cross: the rest is below 1/8 cell across.
constexpr int deepest = 3;
/// Cosine of the largest angle between planes that count as parallel, from 1.
constexpr double parallel = 1e-9;

/// What is left of a box after cuts by parallel planes: the slice low < n . x < high.
struct Slice {
  Vec3 edges, n{0, 0, 0};
  double low = -shapes::unbounded, high = shapes::unbounded;
  bool cut = false;

  /// Whether a plane of this normal can be told from those before by one number.
  bool takes(const Vec3& g) const {
    const double c = dot(g, n), product = dot(g, g) * dot(n, n);
    return !cut || c * c >= (1 - parallel) * product;
  }
  double below(double s) const {
    return s <= -shapes::unbounded ? 0 : s >= shapes::unbounded ? 1 : fraction_below(edges, n, s);
  }
  double volume() const { return cut ? std::max(0.0, below(high) - below(low)) : 1; }
  /// Takes the half space g . x < t away and says how much of the box that was.
  double remove(const Vec3& g, double t) {
    const double length2 = dot(g, g);
    if (length2 == 0) {
      const double all = volume();
      if (t > 0) cut = true, high = low;
      return t > 0 ? all : 0;
    }
    if (!cut) n = g;
    const double before = volume();
    cut = true;
    const double along = dot(g, n) / length2, s = t * along;  // g = n / along
    if (along > 0)
      low = std::max(low, s);
    else
      high = std::min(high, s);
    return std::max(0.0, before - volume());
  }
};

}  // namespace

LayeredScene::LayeredScene(const Extent& extent, std::vector<materials::Material> materials,
                           std::unique_ptr<Ground> ground, std::vector<Layer> layers)
    : extent_(extent),
      materials_(std::move(materials)),
      ground_(std::move(ground)),
      bodies_(extent, std::move(layers)) {}

Vec3 LayeredScene::clamped(const Vec3& point) const {
  // A point on a surface belongs to the side of larger coordinates whatever the rounding, so that bodies of
  // whole cells have whole numbers of nodes: the step is small against a cell and large against rounding.
  const double step = 1e-6 * extent_.dx;
  Vec3 p = point;
  for (int a = 0; a < 3; ++a)
    if (extent_.active(a)) {
      const double low = extent_.low[a], high = extent_.high[a];
      // beyond the end of a period lies what is at its beginning
      if (extent_.periodic[a] && p[a] + step >= high) p[a] -= high - low;
      if (extent_.periodic[a] && p[a] + step < low) p[a] += high - low;
      p[a] = std::clamp(p[a] + step, low + step, high - step);
    } else {
      p[a] = 0;
    }
  return p;
}

void LayeredScene::clamp(Vec3& lo, Vec3& hi) const {
  for (int a = 0; a < 3; ++a) {
    const double inset = 1e-6 * extent_.dx;
    if (!extent_.active(a))
      lo[a] = hi[a] = 0;
    else if (hi[a] <= extent_.low[a])
      lo[a] = hi[a] = extent_.low[a] + inset;
    else if (lo[a] >= extent_.high[a])
      lo[a] = hi[a] = extent_.high[a] - inset;
    else
      lo[a] = std::max(lo[a], extent_.low[a]), hi[a] = std::min(hi[a], extent_.high[a]);
  }
}

int LayeredScene::cover(const Vec3& p) const {
  for (int b : bodies_.near(p, p))
    if (bodies_[b].body->inside(p)) return b;
  return -1;
}

int LayeredScene::material_at(const Vec3& point) const {
  const Vec3 p = clamped(point);
  const int b = cover(p);
  return b < 0 ? ground_->material_at(p) : bodies_[b].material;
}

bool LayeredScene::mixed(const Vec3& low, const Vec3& high) const {
  Vec3 lo = low, hi = high;
  for (int a = 0; a < 3; ++a)
    if (extent_.periodic[a] && (lo[a] < extent_.low[a] || hi[a] > extent_.high[a])) return true;
  clamp(lo, hi);
  const Vec3 center = 0.5 * (lo + hi);
  const double reach = norm(hi - lo) / 2;
  for (int b : bodies_.near(lo, hi)) {
    const double d = bodies_[b].body->probe(center).distance;
    if (d < -reach) return false;
    if (d <= reach) return true;
  }
  return ground_->mixed(lo, hi);
}

void LayeredScene::shares(const Vec3& lo, const Vec3& hi, Mixture& m) const {
  m.clear();
  add_wrapped(lo, hi, 2, 1, m);
}

void LayeredScene::add_wrapped(Vec3 lo, Vec3 hi, int axis, double weight, Mixture& m) const {
  if (axis < 0) {
    clamp(lo, hi);
    add_shares(lo, hi, weight, 0, m);
    return;
  }
  const double low = extent_.low[axis], high = extent_.high[axis], width = hi[axis] - lo[axis];
  const double out = std::max({0.0, low - lo[axis], hi[axis] - high});
  if (!extent_.periodic[axis] || out <= 0) return add_wrapped(lo, hi, axis - 1, weight, m);
  const double shift = lo[axis] < low ? high - low : low - high;
  if (out < width) {
    add_wrapped({axis == 0 ? std::max(lo[0], low) : lo[0], axis == 1 ? std::max(lo[1], low) : lo[1],
                 axis == 2 ? std::max(lo[2], low) : lo[2]},
                {axis == 0 ? std::min(hi[0], high) : hi[0], axis == 1 ? std::min(hi[1], high) : hi[1],
                 axis == 2 ? std::min(hi[2], high) : hi[2]},
                axis - 1, weight * (1 - out / width), m);
    weight *= out / width;
  }
  lo[axis] += shift, hi[axis] += shift;
  lo[axis] = std::max(lo[axis], low), hi[axis] = std::min(hi[axis], high);
  add_wrapped(lo, hi, axis - 1, weight, m);
}

void LayeredScene::add_parts(const Vec3& lo, const Vec3& hi, double weight, int depth, Mixture& m) const {
  const Vec3 half = 0.5 * (hi - lo);
  int parts = 1;
  for (double h : half) parts *= h > 0 ? 2 : 1;
  for (int c = 0; c < 8; ++c) {
    Vec3 low = lo;
    bool there = true;
    for (int a = 0; a < 3; ++a)
      if ((c >> a) & 1) low[a] += half[a], there = there && half[a] > 0;
    if (there) add_shares(low, low + half, weight / parts, depth + 1, m);
  }
}

void LayeredScene::add_shares(const Vec3& lo, const Vec3& hi, double weight, int depth, Mixture& m) const {
  Slice rest;
  rest.edges = hi - lo;
  Mixture found;
  double left = 1;
  for (int b : bodies_.near(lo, hi)) {
    const Cut cut = cut_box(*bodies_[b].body, lo, hi);
    if (cut.kind == Cut::Kind::outside) continue;
    if (cut.kind == Cut::Kind::inside) {
      for (const auto& s : found) add_share(m, s.material, weight * s.fraction);
      return add_share(m, bodies_[b].material, weight * left);
    }
    const bool simple = cut.kind == Cut::Kind::plane && rest.takes(cut.g);
    if (!simple && depth < deepest) return add_parts(lo, hi, weight, depth, m);
    // At the finest level surfaces that cross are taken as independent of each other.
    const double part =
        rest.takes(cut.g) ? rest.remove(cut.g, cut.t) : left * fraction_below(rest.edges, cut.g, cut.t);
    if (part > 0) add_share(found, bodies_[b].material, part);
    left = std::max(0.0, left - part);
  }
  for (const auto& s : found) add_share(m, s.material, weight * s.fraction);
  if (left > 1e-12) ground_->add_shares(lo, hi, weight * left, m);
}

void LayeredScene::nearer_surface(const Vec3& p, double& nearest, Vec3& n) const {
  for (int b : bodies_.near(p, p)) {
    auto probe = bodies_[b].body->probe(p);
    for (int a = dimensions(extent_.mode); a < 3; ++a) probe.gradient[a] = 0;
    const double length = norm(probe.gradient);
    if (length > 0 && std::fabs(probe.distance) < nearest * length) {
      nearest = std::fabs(probe.distance) / length;
      n = (1 / length) * probe.gradient;
    }
    if (probe.distance < 0) return;
  }
}

Vec3 LayeredScene::body_normal(const Vec3& point) const {
  // On the point itself: a step off it would turn the normals of mirror images by different angles.
  Vec3 p = point;
  for (int a = 0; a < 3; ++a) {
    const double low = extent_.low[a], high = extent_.high[a];
    // A step over the end of a period comes in at the other.
    if (extent_.periodic[a] && p[a] < low) p[a] += high - low;
    if (extent_.periodic[a] && p[a] > high) p[a] -= high - low;
    p[a] = extent_.active(a) ? std::clamp(p[a], low, high) : 0;
  }
  double nearest = extent_.dx * std::sqrt(double(dimensions(extent_.mode)));
  Vec3 n{0, 0, 0};
  nearer_surface(p, nearest, n);
  for (int a = 0; a < dimensions(extent_.mode); ++a) {
    if (!extent_.periodic[a]) continue;
    Vec3 image = p;  // a period on, where that is at the other end
    image[a] += p[a] < 0.5 * (extent_.low[a] + extent_.high[a]) ? extent_.high[a] - extent_.low[a]
                                                                : extent_.low[a] - extent_.high[a];
    if (std::min(std::fabs(image[a] - extent_.low[a]), std::fabs(image[a] - extent_.high[a])) < nearest)
      nearer_surface(image, nearest, n);
  }
  return n;
}

Vec3 LayeredScene::normal(const Vec3& p) const {
  // Steps of all signs: mirrors only exchange them, and of any plane through p on which two surfaces are
  // equally near some lie on either side.
  const Vec3 step = 1e-4 * extent_.dx * Vec3{1, 0.62, 0.38};
  constexpr double same = 1 - 5e-7;  // an angle of 1e-3: more than a surface turns over a step
  const Vec3 here = body_normal(p);
  Vec3 sum{0, 0, 0}, last{0, 0, 0};
  const int steps = 1 << dimensions(extent_.mode);
  bool turns = false, any = false;
  for (int corner = 0; corner < steps; ++corner) {
    Vec3 at = p;
    for (int a = 0; a < dimensions(extent_.mode); ++a) at[a] += ((corner >> a) & 1 ? 1 : -1) * step[a];
    const Vec3 n = body_normal(at);
    turns |= dot(n, here) <= same;
    any |= dot(n, n) > 0;
    sum = sum + n, last = n;
  }
  if (!turns) return here;
  if (!any) return ground_->normal(p);
  const double length = norm(sum);
  return length > 0.05 * steps ? (1 / length) * sum : dot(here, here) > 0 ? here : last;  // opposite faces
}

}  // namespace umov::fdtd
