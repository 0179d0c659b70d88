#include "fdtd/model/nearest_face.hpp"

#include <algorithm>
#include <vector>

namespace umov::fdtd {
namespace {

using shapes::Body, shapes::Probe;

/// In cells: what is this near is on a surface, or at one place.
constexpr double on_face = 1e-7;
/// Nearer ones are enough.
constexpr std::size_t most_sides = 16;

void flatten(Vec3& g, Mode mode) {
  for (int a = dimensions(mode); a < 3; ++a) g[a] = 0;
}

Probe face_at(const Body& body, int face, const Vec3& p, Mode mode) {
  auto at = body.face(face, p);
  flatten(at.gradient, mode);
  return at;
}

/// A face that p is on one side of, and the bodies that have it, on either side.
struct Side {
  std::vector<const Body*> bodies;
  int face = 0;
  Probe at;  ///< as p sees it
  bool flat = false;
};

using Gram = std::array<std::array<double, 3>, 3>;

/// Solves for the multipliers of at most three equations, by elimination; false where faces are parallel.
bool solve(Gram a, std::array<double, 3>& x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    if (a[i][i] < 1e-9) return false;  // of a Gram matrix of unit vectors
    for (std::size_t r = i + 1; r < n; ++r) {
      const double f = a[r][i] / a[i][i];
      for (std::size_t c = i; c < n; ++c) a[r][c] -= f * a[i][c];
      x[r] -= f * x[i];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t c = i + 1; c < n; ++c) x[i] -= a[i][c] * x[c];
    x[i] /= a[i][i];
  }
  return true;
}

class Search {
 public:
  Search(const Vec3& p, double reach, const Extent& extent, const Exposed& exposed)
      : p_(p), best_(reach), extent_(extent), exposed_(exposed), tiny_(on_face * extent.dx) {}

  /// What the body itself says is nearest.
  void look_at(const Body& body) {
    const auto foot = foot_of(body, p_, extent_);
    if (foot && norm(foot->at - p_) < best_ - tie()) take(*foot);
  }
  void add_faces(const Body& body) {
    for (const int f : body.smooth_faces(p_, best_)) {
      Probe at = face_at(body, f, p_, extent_.mode);
      const double length = norm(at.gradient);
      if (length == 0) continue;
      at = {at.distance / length, (1 / length) * at.gradient};
      if (!joins(body, at)) sides_.push_back({{&body}, f, at, body.flat(f)});
    }
  }
  void look_at_faces() {
    std::ranges::stable_sort(sides_, {}, [](const Side& s) { return std::fabs(s.at.distance); });
    if (sides_.size() > most_sides) sides_.resize(most_sides);
    for (std::size_t n = 1; n <= std::size_t(dimensions(extent_.mode)); ++n) choose({}, 0, n, 0);
  }
  const std::optional<Foot>& found() const { return found_; }

 private:
  using Choice = std::array<const Side*, 3>;

  double tie() const { return 1e-5 * tiny_; }
  /// Whether there is the same plane already.
  bool joins(const Body& body, const Probe& at) {
    for (Side& s : sides_) {
      const double along = dot(s.at.gradient, at.gradient);
      if (!s.flat || std::fabs(along) < 1 - 1e-14) continue;
      if (std::fabs(s.at.distance - (along > 0 ? 1 : -1) * at.distance) >= tiny_) continue;
      s.bodies.push_back(&body);
      return true;
    }
    return false;
  }
  void choose(Choice chosen, std::size_t count, std::size_t wanted, std::size_t from) {
    if (count == wanted) return look_where(chosen, count);
    for (std::size_t i = from; i < sides_.size(); ++i) {
      if (std::fabs(sides_[i].at.distance) > best_) return;  // they are sorted
      chosen[count] = &sides_[i];
      choose(chosen, count + 1, wanted, i + 1);
    }
  }
  /// The place next to p on all of them: on tangent planes, until that does not move.
  void look_where(const Choice& sides, std::size_t count) {
    const std::size_t n = std::min(count, sides.size());
    Vec3 q = p_;
    std::array<Probe, 3> at;
    Gram gram{};
    bool flat = true;
    for (std::size_t i = 0; i < n; ++i) flat = flat && sides[i]->flat;
    for (int step = 0; step < (flat ? 1 : 8); ++step) {
      for (std::size_t i = 0; i < n; ++i) at[i] = step == 0 ? sides[i]->at : seen(*sides[i], q);
      std::array<double, 3> push{};
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) gram[i][j] = dot(at[i].gradient, at[j].gradient);
        push[i] = dot(at[i].gradient, q - p_) - at[i].distance;
      }
      if (!solve(gram, push, n)) return;
      Vec3 next = p_;
      for (std::size_t i = 0; i < n; ++i) next = next + push[i] * at[i].gradient;
      const double moved = norm(next - q);
      q = next;
      if (moved < tie()) break;
    }
    const Vec3 away = q - p_;
    const double way = norm(away);
    if (!(way < best_ - tie())) return;
    for (std::size_t i = 0; i < n; ++i)
      if (!has(*sides[i], q)) return;
    const auto around = sectors(at, gram, n);
    if (around.empty() || !exposed_(q, around)) return;
    keep({q, way > tiny_ ? (1 / way) * away : around.back()}, way);
  }
  /// A direction into each of the sectors that faces which meet divide space into; the last one is outside
  /// all of them.
  static std::vector<Vec3> sectors(const std::array<Probe, 3>& at, const Gram& gram, std::size_t n) {
    std::vector<Vec3> all;
    for (int sector = 0; sector < 1 << n; ++sector) {
      std::array<double, 3> x{};
      for (std::size_t i = 0; i < n; ++i) x[i] = (sector >> i) & 1 ? 1 : -1;
      if (!solve(gram, x, n)) return {};
      Vec3 into{0, 0, 0};
      for (std::size_t i = 0; i < n; ++i) into = into + x[i] * at[i].gradient;
      all.push_back((1 / norm(into)) * into);
    }
    return all;
  }
  Probe seen(const Side& s, const Vec3& q) const {
    const Probe at = face_at(*s.bodies[0], s.face, q, extent_.mode);
    const double length = norm(at.gradient);
    return length > 0 ? Probe{at.distance / length, (1 / length) * at.gradient} : at;
  }
  bool has(const Side& s, const Vec3& q) const {
    return std::ranges::any_of(s.bodies,
                               [&](const Body* b) { return std::fabs(b->probe(q).distance) < tiny_; });
  }
  void take(const Foot& foot) {
    if (exposed_(foot.at, std::array{-1.0 * foot.normal, foot.normal})) keep(foot, norm(foot.at - p_));
  }
  void keep(const Foot& foot, double way) { found_ = foot, best_ = way; }

  Vec3 p_;
  double best_;
  const Extent& extent_;
  const Exposed& exposed_;
  double tiny_;
  std::vector<Side> sides_;
  std::optional<Foot> found_;
};

}  // namespace

Probe flat_probe(const Body& body, const Vec3& p, Mode mode) {
  auto at = body.probe(p);
  flatten(at.gradient, mode);
  return at;
}

std::optional<Foot> foot_of(const Body& body, const Vec3& p, const Extent& extent) {
  Foot foot{p, {0, 0, 0}};
  auto at = flat_probe(body, p, extent.mode);
  const bool outside = at.distance > 0;
  for (int step = 0; step < 4 && std::fabs(at.distance) > shapes::tie_of(foot.at, p); ++step) {
    if (dot(at.gradient, at.gradient) == 0) return {};
    foot.at = foot.at - (at.distance / dot(at.gradient, at.gradient)) * at.gradient;
    at = flat_probe(body, foot.at, extent.mode);
  }
  const Vec3 away = p - foot.at;
  const double way = norm(away), length = norm(at.gradient);
  if (way > 1e-3 * extent.dx)
    foot.normal = ((outside ? 1 : -1) / way) * away;
  else if (length > 0)
    foot.normal = (1 / length) * at.gradient;
  else
    return {};
  return foot;
}

std::optional<Foot> nearest_exposed(std::span<const Body* const> bodies, const Vec3& p, double reach,
                                    const Extent& extent, const Exposed& exposed) {
  Search search(p, reach, extent, exposed);
  for (const Body* b : bodies) search.look_at(*b);
  for (const Body* b : bodies) search.add_faces(*b);
  search.look_at_faces();
  return search.found();
}

}  // namespace umov::fdtd
