// Paths as unions of convex pieces.
#include <algorithm>
#include <cmath>

#include "core/types.hpp"
#include "layout/hierarchy.hpp"

namespace umov::layout {
namespace {

struct Segment {
  Place from, to, along;  ///< of unit length
};

Place plus(const Place& p, double s, const Place& along, double t = 0) {
  return {p[0] + s * along[0] - t * along[1], p[1] + s * along[1] + t * along[0]};
}

std::vector<Segment> segments_of(std::span<const Place> points, bool closed) {
  std::vector<Segment> out;
  Place from = points[0];
  const auto add = [&](const Place& to) {
    const double x = to[0] - from[0], y = to[1] - from[1], length = std::hypot(x, y);
    if (!(length > 0)) return;
    out.push_back({from, to, {x / length, y / length}});
    from = to;
  };
  for (const Place& p : points.subspan(1)) add(p);
  if (closed) add(points[0]);
  return out;
}

using Take = std::function<void(std::span<const Place>)>;

/// Half a circle around an end, the straight side across the path.
void add_cap(const Place& center, const Place& outward, double half, double sagitta, const Take& piece) {
  const double step = 2 * std::acos(std::clamp(1 - sagitta / half, 0.7, 1.0));
  const int count = 2 * std::clamp(int(std::ceil(pi / 2 / std::max(step, 1e-3))), 4, 512);
  std::vector<Place> corners;
  for (int i = 0; i <= count; ++i) {
    const double angle = pi * i / count - pi / 2;
    corners.push_back(plus(center, half * std::cos(angle), outward, half * std::sin(angle)));
  }
  piece(corners);
}

/// What is missing outside where two segments meet.
void add_corner(const Segment& one, const Segment& next, double half, const Take& piece) {
  const double sine = one.along[0] * next.along[1] - one.along[1] * next.along[0];
  const double cosine = one.along[0] * next.along[0] + one.along[1] * next.along[1];
  if (sine == 0 && cosine > 0) return;
  const double side = sine > 0 ? -half : half;  // across, of the outer side
  const Place& at = one.to;
  const Place before = plus(at, 0, one.along, side), after = plus(at, 0, next.along, side);
  constexpr double rounding = 1e-12;
  if (cosine >= -rounding) {
    const double beyond = half * std::fabs(sine) / (1 + cosine);  // half tan(turn / 2)
    piece(std::array{at, before, plus(before, beyond, one.along), after});
  } else {  // both sides go on for half the width, and are joined
    piece(std::array{at, before, plus(before, half, one.along), plus(after, -half, next.along), after});
  }
}

}  // namespace

void stroke(std::span<const Place> points, double width, PathStyle::Ends ends, double begin, double end,
            double sagitta, bool closed, const Take& piece) {
  if (points.empty() || !(width > 0)) return;
  const double half = width / 2;
  const bool round = ends == PathStyle::Ends::round && !closed;
  auto segments = segments_of(points, closed);
  if (ends == PathStyle::Ends::half_width) begin = end = half;
  if (ends == PathStyle::Ends::flush || round || closed) begin = end = 0;
  if (segments.empty()) {  // one point: as a path along x without length
    if (!round && !(begin + end > 0)) return;
    segments.push_back({points[0], points[0], {1, 0}});
  }
  const std::size_t n = segments.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Segment& s = segments[i];
    const Place from = plus(s.from, i == 0 ? -begin : 0, s.along),
                to = plus(s.to, i + 1 == n ? end : 0, s.along);
    const double length = (to[0] - from[0]) * s.along[0] + (to[1] - from[1]) * s.along[1];
    if (length > 0)
      piece(std::array{plus(from, 0, s.along, -half), plus(to, 0, s.along, -half), plus(to, 0, s.along, half),
                       plus(from, 0, s.along, half)});
    if (i + 1 < n || closed) add_corner(s, segments[(i + 1) % n], half, piece);
  }
  if (!round) return;
  const Segment &first = segments.front(), &last = segments.back();
  add_cap(first.from, {-first.along[0], -first.along[1]}, half, sagitta, piece);
  add_cap(last.to, last.along, half, sagitta, piece);
}

}  // namespace umov::layout
