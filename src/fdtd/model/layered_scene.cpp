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
      bodies_(extent, std::move(layers)),
      has_memory_(std::ranges::any_of(materials_, [](const auto& m) { return m.dispersive(); })) {}

Vec3 LayeredScene::clamped(const Vec3& point) const {
  // A point on a surface belongs to the side of larger coordinates whatever the rounding, so that bodies of
  // whole cells have whole numbers of nodes: the step is small against a cell and large against rounding.
  const double step = 1e-6 * extent_.dx;
  Vec3 p = point;
  for (int a = 0; a < 3; ++a)
    if (!extent_.active(a))
      p[a] = 0;
    else if (extent_.periodic[a])
      p[a] = in_period(p[a] + step, a);
    else
      p[a] = std::clamp(p[a] + step, extent_.low[a] + step, extent_.high[a] - step);
  return p;
}

Vec3 LayeredScene::in_domain(const Vec3& point) const {
  Vec3 p = point;
  for (int a = 0; a < 3; ++a)
    if (!extent_.active(a))
      p[a] = 0;
    else if (!extent_.periodic[a])
      p[a] = std::clamp(p[a], extent_.low[a], extent_.high[a]);
    else if (p[a] < extent_.low[a] || p[a] > extent_.high[a])
      p[a] = in_period(p[a], a);
  return p;
}

double LayeredScene::in_period(double x, int axis) const {
  const double low = extent_.low[axis], high = extent_.high[axis];
  if (x < low || x >= high) x -= (high - low) * std::floor((x - low) / (high - low));
  return std::clamp(x, low, high);
}

void LayeredScene::clamp(Vec3& lo, Vec3& hi) const {
  for (int a = 0; a < 3; ++a) {
    const double inset = 1e-6 * extent_.dx;
    if (!extent_.active(a))
      lo[a] = hi[a] = 0;
    else if (extent_.periodic[a])
      continue;  // images of bodies lie there
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
    if (!bodies_.apart(b, p, p) && bodies_[b].body->inside(p)) return b;
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
    if (bodies_.apart(b, lo, hi)) continue;
    const double d = bodies_[b].body->probe(center).distance;
    if (d < -reach) return false;
    if (d <= reach) return true;
  }
  return ground_->mixed(lo, hi);
}

void LayeredScene::shares(const Vec3& low, const Vec3& high, Mixture& m) const {
  m.clear();
  Vec3 lo = low, hi = high;
  clamp(lo, hi);
  add_shares(lo, hi, 1, 0, m);
}

/// The ground has no images: what passes the end of a period is asked for at the other.
void LayeredScene::add_ground(Vec3 lo, Vec3 hi, int axis, double weight, Mixture& m) const {
  if (axis < 0) return ground_->add_shares(lo, hi, weight, m);
  const double low = extent_.low[axis], high = extent_.high[axis], width = hi[axis] - lo[axis];
  if (!extent_.periodic[axis] || (lo[axis] >= low && hi[axis] <= high))
    return add_ground(lo, hi, axis - 1, weight, m);
  if (!(width > 0)) {
    lo[axis] = hi[axis] = in_period(lo[axis], axis);
    return add_ground(lo, hi, axis - 1, weight, m);
  }
  const double period = high - low, end = hi[axis];
  for (double from = lo[axis]; from < end;) {
    // An end of the period up to rounding is its beginning.
    const double turn = low + period * std::floor((from - low) / period + 1e-9);
    const double next = std::min(end, turn + period);
    lo[axis] = std::max(from - turn + low, low), hi[axis] = std::min(next - turn + low, high);
    add_ground(lo, hi, axis - 1, weight * (next - from) / width, m);
    from = next;
  }
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
    if (bodies_.apart(b, lo, hi)) continue;
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
  if (left > 1e-12) add_ground(lo, hi, 2, weight * left, m);
}

void LayeredScene::nearer_surface(const Vec3& p, double& nearest, Vec3& n) const {
  for (int b : bodies_.near(p, p)) {
    const Vec3 around = nearest * Vec3{1, 1, 1};
    if (bodies_.apart(b, p - around, p + around)) continue;
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
  const Vec3 p = in_domain(point);
  // boxes of two cells' edge reach half a cell less far from the nodes of the edges they are around
  const double reach = has_memory_ ? 1.5 : 1;
  double nearest = reach * extent_.dx * std::sqrt(double(dimensions(extent_.mode)));
  Vec3 n{0, 0, 0};
  nearer_surface(p, nearest, n);
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
