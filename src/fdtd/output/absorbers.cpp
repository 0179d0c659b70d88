// Absorbers in the picture of the model: the veil and strokes of absorbing layers, over any shape.
#include <algorithm>

#include "fdtd/model/bodies.hpp"
#include "fdtd/model/images.hpp"
#include "fdtd/output/panels.hpp"

namespace umov::fdtd {

using namespace pictures;

namespace {

constexpr double step = 2;  ///< between places that are looked at, on the sheet
constexpr double between_strokes = 7;

/// An absorber on a sheet: whether a point of it lies inside.
class Shown {
 public:
  Shown(const Rect& area, const View& view, const Outcome& o, const Cut& cut, std::size_t number)
      : area_(area),
        view_(view),
        grid_(o.grid),
        cut_(cut),
        bodies_(make_images(o.simulation, o.simulation.absorbers[number],
                            absorber_label(o.simulation, number), extent_of(o.simulation))) {}

  bool at(double x, double y) const {
    if (x < area_.x || x > area_.right() || y < area_.y || y > area_.bottom()) return false;
    Vec3 p{0, 0, 0};
    p[cut_.u] = view_.x0 + (x - area_.x) / area_.width * (view_.x1 - view_.x0);
    if (grid_.active(cut_.v)) p[cut_.v] = view_.y1 - (y - area_.y) / area_.height * (view_.y1 - view_.y0);
    return std::ranges::any_of(bodies_, [&](const auto& body) { return body->inside(p); });
  }

  void shade(Canvas& c, Color color) const {
    for (double y = area_.y; y < area_.bottom(); y += step)
      for (double x = area_.x; x < area_.right();) {
        const double from = x;
        while (x < area_.right() && at(x + step / 2, y + step / 2)) x += step;
        if (x > from) c.shade({from, y, x - from, step}, color, 0.16);
        x += step;
      }
  }
  void stroke(Canvas& c, Color color) const {
    std::vector<Point> strokes;
    for (double foot = area_.x - area_.height; foot < area_.right(); foot += between_strokes)
      for (double up = 0; up < area_.height;) {
        const double from = up;
        while (up < area_.height && at(foot + up, area_.bottom() - up)) up += step;
        if (up > from) {
          strokes.push_back({foot + from, area_.bottom() - from});
          strokes.push_back({foot + up, area_.bottom() - up});
        }
        up += step;
      }
    c.segments(strokes, 0.7, color, 0.45);
  }

 private:
  Rect area_;
  View view_;
  const Grid& grid_;
  Cut cut_;
  std::vector<std::unique_ptr<shapes::Body>> bodies_;
};

}  // namespace

void draw_absorbers(Canvas& c, const Rect& a, const View& v, const Outcome& o, const Cut& cut, Color color) {
  for (std::size_t n = 0; n < o.simulation.absorbers.size(); ++n) {
    const Shown shown(a, v, o, cut, n);
    c.clip(a);
    shown.shade(c, color);
    shown.stroke(c, color);
    c.unclip();
  }
}

}  // namespace umov::fdtd
