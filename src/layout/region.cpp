#include "layout/region.hpp"

#include <algorithm>
#include <boost/polygon/polygon.hpp>
#include <cmath>

#include "core/interruption.hpp"

namespace umov::layout {
namespace {

namespace bp = boost::polygon;
using Point2i = bp::point_data<int>;
using Polygon = bp::polygon_with_holes_data<int>;

constexpr double finest = 1024, coordinates = 1 << 28;

double cross(const Point2i& o, const Point2i& a, const Point2i& b) {
  return (double(a.x()) - o.x()) * (double(b.y()) - o.y()) -
         (double(a.y()) - o.y()) * (double(b.x()) - o.x());
}

double twice_area(const std::vector<Point2i>& p) {
  double sum = 0;
  for (std::size_t i = 1; i + 1 < p.size(); ++i) sum += cross(p[0], p[i], p[i + 1]);
  return sum;
}

/// Turned one way all along, once around.
bool convex(const std::vector<Point2i>& p) {
  int turns = 0, sides = 0;  // changes of direction along x tell how often it runs around
  double last = 0;
  const std::size_t n = p.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Point2i &a = p[i], &b = p[(i + 1) % n], &c = p[(i + 2) % n];
    const double turn = cross(a, b, c);
    if (turn != 0) {
      const int way = turn > 0 ? 1 : -1;
      if (turns != 0 && way != turns) return false;
      turns = way;
    } else if ((double(c.x()) - b.x()) * (double(b.x()) - a.x()) +
                   (double(c.y()) - b.y()) * (double(b.y()) - a.y()) <
               0) {
      return false;
    }
    const double step = double(b.x()) - a.x();
    if (step * last < 0) ++sides;
    if (step != 0) last = step;
  }
  return sides <= 2;
}

/// Cuts a polygon at a line along an axis (Sutherland and Hodgman 1974): what it leaves along the line is
/// walked there and back.
void cut(std::vector<Place>& polygon, int axis, double at, bool keep_above) {
  std::vector<Place> out;
  const auto inside = [&](const Place& p) { return keep_above ? p[axis] >= at : p[axis] <= at; };
  for (std::size_t i = 0, n = polygon.size(); i < n; ++i) {
    const Place &a = polygon[i], &b = polygon[(i + 1) % n];
    if (inside(a)) out.push_back(a);
    if (inside(a) == inside(b)) continue;
    const double part = (at - a[axis]) / (b[axis] - a[axis]);
    Place p;
    p[axis] = at, p[1 - axis] = a[1 - axis] + part * (b[1 - axis] - a[1 - axis]);
    out.push_back(p);
  }
  polygon = std::move(out);
}

}  // namespace

struct Region::Set {
  bp::polygon_set_data<int> edges;
};

Region::Region(const Box& frame) : frame_(frame), set_(std::make_unique<Set>()) {
  // a polygon may go beyond the frame by as much as the frame is long
  double extent = 1;
  for (int a = 0; a < 2 && !frame.empty(); ++a) {
    origin_[a] = std::round((frame.low[a] + frame.high[a]) / 2);
    extent = std::max(extent, frame.high[a] - frame.low[a]);
  }
  fineness_ = finest;
  while (extent * fineness_ > coordinates) fineness_ /= 2;
}
Region::~Region() = default;
Region::Region(Region&&) noexcept = default;
Region& Region::operator=(Region&&) noexcept = default;

void Region::add(std::span<const Place> corners) {
  const double margin =
      std::max(16.0, 0.25 * std::max(frame_.high[0] - frame_.low[0], frame_.high[1] - frame_.low[1]));
  const Box limits = frame_.grown(margin);
  std::vector<Place> polygon(corners.begin(), corners.end());
  for (const Place& p : polygon)
    if (!std::isfinite(p[0]) || !std::isfinite(p[1])) return;
  for (int a = 0; a < 2; ++a) {
    const auto beyond = [&](const Place& p) { return p[a] < limits.low[a] || p[a] > limits.high[a]; };
    if (std::ranges::none_of(polygon, beyond)) continue;
    cut(polygon, a, limits.low[a], true);
    cut(polygon, a, limits.high[a], false);
  }
  std::vector<Point2i> points;
  for (const Place& p : polygon) {
    const Point2i q(int(std::llround((p[0] - origin_[0]) * fineness_)),
                    int(std::llround((p[1] - origin_[1]) * fineness_)));
    if (points.empty() || !(points.back() == q)) points.push_back(q);
  }
  while (points.size() > 1 && points.front() == points.back()) points.pop_back();
  if (points.size() < 3) return;
  const double area = twice_area(points);
  if (area < 0) std::reverse(points.begin(), points.end());
  if (convex(points)) {
    if (area != 0)
      set_->edges.insert_vertex_sequence(points.begin(), points.end(), bp::COUNTERCLOCKWISE, false);
    return;
  }
  bp::polygon_set_data<int> once;
  once.insert_vertex_sequence(points.begin(), points.end(), bp::COUNTERCLOCKWISE, false);
  once.clean();
  if (2 * double(bp::area(once)) !=
      std::fabs(area)) {  // it crosses itself: what it runs around backwards, too
    bp::polygon_set_data<int> backwards;
    backwards.insert_vertex_sequence(points.begin(), points.end(), bp::CLOCKWISE, false);
    backwards.clean();
    once.insert(backwards);
  }
  set_->edges.insert(once);
}

void Region::unite(const Region& other) { set_->edges.insert(other.set_->edges); }

namespace {

/// "Counts above 0" of a set of edges whose overlaps are counted.
void merge(bp::polygon_set_data<int>& set) {
  set.clean();
  stop_if_interrupted("while polygons of a layout were merged");
}

}  // namespace

Region Region::within(const Box& box) const {
  Region out(frame_);
  merge(set_->edges);
  const auto snapped = [&](double v, int a) { return int(std::llround((v - origin_[a]) * fineness_)); };
  Box b = box;
  const double margin = 2 * std::max(frame_.high[0] - frame_.low[0], frame_.high[1] - frame_.low[1]);
  for (int a = 0; a < 2; ++a) {
    b.low[a] = std::max(b.low[a], frame_.low[a] - margin),
    b.high[a] = std::min(b.high[a], frame_.high[a] + margin);
    if (!(b.low[a] < b.high[a])) return out;
  }
  const bp::rectangle_data<int> rectangle(snapped(b.low[0], 0), snapped(b.low[1], 1), snapped(b.high[0], 0),
                                          snapped(b.high[1], 1));
  using namespace bp::operators;
  out.set_->edges = set_->edges & rectangle;
  return out;
}

void Region::grow(double by) {
  if (by == 0 || empty()) return;
  Region rim(frame_);
  for (const auto& loop : loops())
    stroke(loop, 2 * std::fabs(by), PathStyle::Ends::flush, 0, 0, 0.5, true,
           [&](std::span<const Place> piece) { rim.add(piece); });
  merge(rim.set_->edges);
  using namespace bp::operators;
  if (by > 0)
    set_->edges += rim.set_->edges;
  else
    set_->edges -= rim.set_->edges;
  merge(set_->edges);
}

bool Region::empty() const {
  merge(set_->edges);
  return set_->edges.empty();
}

double Region::area() const {
  merge(set_->edges);
  return double(bp::area(set_->edges)) / (fineness_ * fineness_);
}

std::size_t Region::polygons() const {
  std::vector<Polygon> all;
  merge(set_->edges);
  set_->edges.get(all);
  return all.size();
}

Box Region::box() const {
  Box out;
  for (const auto& loop : loops())
    for (const Place& p : loop) out.add(p);
  return out;
}

Loops Region::loops() const {
  merge(set_->edges);
  std::vector<Polygon> all;
  set_->edges.get(all);
  Loops out;
  // corners on a straight line are left out: they are no corners
  const auto add = [&](auto first, auto last, bool area_inside) {
    std::vector<Point2i> points(first, last), corners;
    if (points.size() > 1 && points.front() == points.back()) points.pop_back();
    for (std::size_t i = 0, n = points.size(); i < n; ++i)
      if (cross(points[(i + n - 1) % n], points[i], points[(i + 1) % n]) != 0) corners.push_back(points[i]);
    if (corners.size() < 3) return;
    if ((twice_area(corners) > 0) != area_inside) std::reverse(corners.begin(), corners.end());
    out.emplace_back();
    for (const Point2i& p : corners)
      out.back().push_back({origin_[0] + p.x() / fineness_, origin_[1] + p.y() / fineness_});
  };
  for (const Polygon& p : all) {
    add(p.begin(), p.end(), true);
    for (auto hole = p.begin_holes(); hole != p.end_holes(); ++hole) add(hole->begin(), hole->end(), false);
  }
  return out;
}

Stretches stretches_on(const Loops& loops, int axis, double position, double tolerance) {
  Stretches out;
  for (const auto& loop : loops)
    for (std::size_t i = 0, n = loop.size(); i < n; ++i) {
      const Place &a = loop[i], &b = loop[(i + 1) % n];
      if (std::fabs(a[axis] - position) > tolerance || std::fabs(b[axis] - position) > tolerance) continue;
      const auto [low, high] = std::minmax(a[1 - axis], b[1 - axis]);
      if (low < high) out.push_back({low, high});
    }
  std::ranges::sort(out);
  return out;
}

bool is_inside(const Loops& loops, const Place& at) {
  bool inside = false;  // a ray along x crosses an odd number of edges
  for (const auto& loop : loops)
    for (std::size_t i = 0, n = loop.size(); i < n; ++i) {
      const Place &a = loop[i], &b = loop[(i + 1) % n];
      if ((a[1] > at[1]) == (b[1] > at[1])) continue;
      if (a[0] + (at[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) > at[0]) inside = !inside;
    }
  return inside;
}

}  // namespace umov::layout
