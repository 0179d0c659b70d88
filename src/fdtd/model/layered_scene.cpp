#include "fdtd/model/layered_scene.hpp"

#include <algorithm>

#include "fdtd/model/box_parts.hpp"

namespace umov::fdtd {
namespace {

/// Halvings of a box at kinks and where surfaces cross: the rest is below 1/8 cell across.
constexpr int deepest = 3;
/// What rounding leaves of a box.
constexpr double least_share = 1e-12;

}  // namespace

LayeredScene::LayeredScene(const Extent& extent, std::vector<materials::Material> materials,
                           std::vector<bool> alike, std::unique_ptr<Ground> ground, std::vector<Layer> layers)
    : extent_(extent),
      materials_(std::move(materials)),
      alike_(std::move(alike)),
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

std::vector<Occupied> LayeredScene::occupied() const {
  std::vector<Occupied> all;
  for (const Layer& layer : bodies_.layers()) {
    const auto bounds = layer.body->bounds();
    all.push_back({layer.material, bounds.low, bounds.high});
  }
  return all;
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
  std::vector<BoxPart> parts;
  int below = -1;  // material of the body under them that covers the box
  for (int b : bodies_.near(lo, hi)) {
    if (bodies_.apart(b, lo, hi)) continue;
    const BoxCut cut = cut_box(*bodies_[b].body, lo, hi);
    if (cut.kind == BoxCut::Kind::inside) {
      below = bodies_[b].material;
      break;
    }
    if (cut.kind != BoxCut::Kind::outside) parts.push_back({bodies_[b].body.get(), bodies_[b].material, cut});
  }
  if (!find_fractions(parts, lo, hi, depth == deepest)) return add_parts(lo, hi, weight, depth, m);
  double left = 1;
  for (const auto& part : parts) {
    if (part.fraction > least_share) add_share(m, part.material, weight * part.fraction);
    left -= part.fraction;
  }
  if (left <= least_share) return;
  if (below >= 0)
    add_share(m, below, weight * left);
  else
    add_ground(lo, hi, 2, weight * left, m);
}

}  // namespace umov::fdtd
