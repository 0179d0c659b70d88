// Bad parts are named before anything is built.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "core/text.hpp"
#include "mesh/part_shape.hpp"

namespace umov::mesh {

namespace {

const std::vector<std::string>& shapes() {
  static const std::vector<std::string> list{"box",   "cylinder",   "cone",      "sphere",
                                             "torus", "revolution", "extrusion", "sheds"};
  return list;
}

/// Refuses with the part's name in front.
struct Named {
  std::string part;
  [[noreturn]] void refuse(const std::string& what) const { throw BadInput(part + ": " + what); }
  void need(bool good, const std::string& what) const {
    if (!good) refuse(what);
  }
  void positive(double value, const char* name) const {
    if (!(value > 0) || !std::isfinite(value))
      refuse(fmt::format("{} is {} (a part without it has no volume); set it to a length in metres", name,
                         value));
  }
};

double side(const Point2& a, const Point2& b, const Point2& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

bool on_segment(const Point2& a, const Point2& b, const Point2& c) {
  return std::min(a[0], b[0]) <= c[0] && c[0] <= std::max(a[0], b[0]) && std::min(a[1], b[1]) <= c[1] &&
         c[1] <= std::max(a[1], b[1]);
}

bool cross_or_touch(const Point2& a, const Point2& b, const Point2& c, const Point2& d) {
  const double s1 = side(a, b, c), s2 = side(a, b, d), s3 = side(c, d, a), s4 = side(c, d, b);
  if (((s1 > 0 && s2 < 0) || (s1 < 0 && s2 > 0)) && ((s3 > 0 && s4 < 0) || (s3 < 0 && s4 > 0))) return true;
  return (s1 == 0 && on_segment(a, b, c)) || (s2 == 0 && on_segment(a, b, d)) ||
         (s3 == 0 && on_segment(c, d, a)) || (s4 == 0 && on_segment(c, d, b));
}

void check_polygon(const std::vector<Point2>& corners, const Named& named, const std::string& what) {
  const std::vector<Point2> p = without_repeats(corners);
  const std::size_t n = p.size();
  named.need(n >= 3, fmt::format("{} has {} corner(s) (a closed line needs three); give more", what, n));
  for (const auto& c : p)
    named.need(std::isfinite(c[0]) && std::isfinite(c[1]),
               what + " has a corner that is no number; correct it");
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 2; j < n; ++j) {
      if (i == 0 && j == n - 1) continue;
      named.need(!cross_or_touch(p[i], p[i + 1], p[j], p[(j + 1) % n]),
                 fmt::format(
                     "{} crosses itself (edge {} from ({}, {}) and edge {} from ({}, {})); order its corners "
                     "along the outline (a hole is a part of its own, after this one)",
                     what, i + 1, p[i][0], p[i][1], j + 1, p[j][0], p[j][1]));
    }
  for (std::size_t i = 0; i < n; ++i) {
    const Point2 &a = p[i], &b = p[(i + 1) % n], &c = p[(i + 2) % n];
    const bool folds =
        side(a, b, c) == 0 && (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0;
    named.need(!folds,
               fmt::format("{} turns back on itself at ({}, {}) (zero thickness); leave that corner out",
                           what, b[0], b[1]));
  }
}

void check_sheds(const Part& p, const Named& named) {
  named.positive(p.radius, "radius");
  named.positive(p.height, "height");
  named.positive(p.shed_thickness, "shed_thickness");
  named.need(p.shed_count >= 1, "shed_count is less than 1; use a cylinder for a rod without sheds");
  named.need(p.shed_margin >= 0 && 2 * p.shed_margin < p.height,
             "shed_margin leaves no room; make it smaller");
  for (const double r : {p.shed_radius, p.shed_radius_small > 0 ? p.shed_radius_small : p.shed_radius})
    named.need(
        r > p.radius,
        fmt::format("a shed's radius {} m is not larger than the rod's {} m; correct one", r, p.radius));
  named.need(p.shed_slope > -80 && p.shed_slope < 80,
             "shed_slope must be between -80 and 80 degrees; correct it");
  const double pitch = (p.height - 2 * p.shed_margin) / p.shed_count;
  named.need(p.shed_thickness < pitch,
             fmt::format("{} sheds of {} m do not fit on {} m; take fewer or thinner ones", p.shed_count,
                         p.shed_thickness, p.height - 2 * p.shed_margin));
}

/// The lowest rim may hang below the end; it must not hang through its neighbour or below the rod.
void check_shed_outline(const Part& p, const Named& named) {
  std::vector<Point2> corners;
  for (const auto& e : outline([&] {
         Part sharp = p;
         sharp.fillet = 0;
         return sharp;
       }()))
    corners.push_back(e.from);
  check_polygon(corners, named, "the outline of the sheds");
}

void check_lengths(const Part& p, const Named& named) {
  if (p.shape == "box")
    for (int k = 0; k < 3; ++k)
      named.positive(p.size[k], k == 0 ? "size[0]" : k == 1 ? "size[1]" : "size[2]");
  if (p.shape == "cylinder" || p.shape == "sphere" || p.shape == "torus") named.positive(p.radius, "radius");
  if (p.shape == "cylinder" || p.shape == "cone" || p.shape == "extrusion")
    named.positive(p.height, "height");
  if (p.shape == "cone")
    named.need(p.radius >= 0 && p.top_radius >= 0 && p.radius + p.top_radius > 0,
               "radius and top_radius are both 0 (a part without them has no volume); set one");
  if (p.shape == "torus") {
    named.positive(p.top_radius, "top_radius (of the tube)");
    named.need(p.top_radius < p.radius,
               "the tube is thicker than the ring (top_radius is that of the tube); make "
               "it smaller than radius");
  }
  named.need(p.inner_radius >= 0, "inner_radius is negative; set it to 0 for a solid part");
  if (p.shape == "cylinder" || p.shape == "sphere" || p.shape == "sheds")
    named.need(
        p.inner_radius < p.radius,
        fmt::format("inner_radius {} m leaves nothing of radius {} m (zero thickness); make it smaller",
                    p.inner_radius, p.radius));
  else
    named.need(p.inner_radius == 0, "inner_radius is for cylinder, sphere and sheds; leave it out");
  if (p.shape == "revolution" || p.shape == "extrusion") {
    check_polygon(p.profile, named, "profile");
    if (p.shape == "revolution")
      for (const auto& c : p.profile)
        named.need(
            c[0] >= 0,
            fmt::format("profile has a corner at r = {} (behind the axis); r must not be negative", c[0]));
  } else {
    named.need(p.profile.empty(), "profile is for revolution and extrusion; leave it out");
  }
  if (p.shape == "sheds") {
    check_sheds(p, named);
    check_shed_outline(p, named);
  }
  named.need(p.fillet >= 0, "fillet is negative; set it to 0 for sharp corners");
  named.need(p.fillet == 0 || !(p.shape == "box" || p.shape == "sphere" || p.shape == "torus"),
             "fillet is for cylinder, cone, sheds, revolution and extrusion; leave it out");
}

void check_mesh_size(const Part& p, const Named& named) {
  const Extent e = extent(p);
  named.need(p.mesh_size >= 0 && std::isfinite(p.mesh_size),
             "mesh_size is negative; set it to a length in metres");
  named.need(p.mesh_size <= e.largest,
             fmt::format("mesh_size {} m is larger than the part ({} m at its longest); make it smaller",
                         p.mesh_size, e.largest));
  if (p.across == 0) {
    named.need(p.stretch == 1, "stretch is for structured tubes (across > 0); leave it out or set across");
    return;
  }
  named.need(p.across > 0 && p.across <= 100, "across must be from 1 to 100; correct it");
  named.need(p.shape == "cylinder" && p.inner_radius > 0 && p.fillet == 0,
             "across is for a cylinder with inner_radius and without fillet (a thin tube); leave it out");
  named.need(p.mesh_size > 0, "a structured tube (across) needs mesh_size (the edge around it); set it");
  named.need(p.stretch >= 0.01 && p.stretch <= 100, "stretch must be from 0.01 to 100; correct it");
}

void check_part(const Part& p, const Named& named) {
  named.need(!p.region.empty(), "it has no region; name the volume (or conductor) that it belongs to");
  if (std::find(shapes().begin(), shapes().end(), p.shape) == shapes().end()) {
    const std::string hint = did_you_mean(p.shape, shapes());
    named.refuse(fmt::format("unknown shape '{}'; {}", p.shape,
                             hint.empty() ? "known are " + join(shapes(), ", ") : hint));
  }
  for (int k = 0; k < 3; ++k)
    named.need(std::isfinite(p.center[k]) && std::isfinite(p.axis[k]) && std::isfinite(p.shift[k]),
               "center, axis or shift is no number; correct it");
  named.need(norm(p.axis) > 0, "axis is (0, 0, 0); give it a direction");
  named.need(p.angle > 0 && p.angle <= 360,
             fmt::format("angle is {}; it must be above 0 and at most 360", p.angle));
  named.need(p.angle == 360 || p.shape == "cylinder" || p.shape == "cone" || p.shape == "revolution",
             "angle is for cylinder, cone and revolution; leave it out");
  named.need(p.copies >= 1 && p.copies <= 10000, "copies must be from 1 to 10000; correct it");
  named.need(p.copies == 1 || p.turn != 0 || norm(p.shift) > 0,
             "its copies all lie in one place (neither shift nor turn); set one");
  check_lengths(p, named);
  try {
    outline(p);
  } catch (const BadInput& e) {
    named.refuse(e.what());
  }
  check_mesh_size(p, named);
}

void check_domain(const Geometry& g) {
  if (g.domain_shape != "box" && g.domain_shape != "cylinder")
    throw BadInput(fmt::format("unknown domain shape '{}'; use box or cylinder", g.domain_shape));
  for (int k = 0; k < 3; ++k)
    if (!(g.low[k] < g.high[k]) || !std::isfinite(g.high[k] - g.low[k]))
      throw BadInput(
          fmt::format("the domain reaches from {} to {} m along {} (no volume); set low below high", g.low[k],
                      g.high[k], "xyz"[k]));
  const double wide = g.high[0] - g.low[0];
  if (g.domain_shape == "cylinder" && std::abs(g.high[1] - g.low[1] - wide) > 1e-9 * wide)
    throw BadInput(
        "a cylindrical domain has two diameters (low and high differ along x and y); make them equal");
  if (g.domain_region.empty())
    throw BadInput("the domain's region has no name; set it, for example to 'air'");
  const double longest = std::max({wide, g.high[1] - g.low[1], g.high[2] - g.low[2]});
  if (!(g.mesh_size > 0) || g.mesh_size > longest)
    throw BadInput(fmt::format("mesh_size of the domain is {} m; set it to a length of at most {} m",
                               g.mesh_size, longest));
  if (!(g.growth >= 0) || !(g.curvature >= 0) || g.growth > 10)
    throw BadInput("growth (0 to 10) or curvature of the geometry is out of range; 0 means the default");
  for (std::size_t i = 0; i < g.cut.size(); ++i) {
    const std::string& c = g.cut[i];
    if (c != "x" && c != "y" && c != "z")
      throw BadInput(fmt::format("unknown plane of symmetry '{}'; use x, y or z", c));
    if (std::find(g.cut.begin(), g.cut.begin() + i, c) != g.cut.begin() + i)
      throw BadInput(fmt::format("the plane of symmetry '{}' is there twice; leave one out", c));
    const int k = c[0] - 'x';
    if (!(g.high[k] > 0) || g.low[k] > 0)
      throw BadInput(
          fmt::format("the domain ({} to {} m along {}) does not reach both the plane of symmetry {} = 0 "
                      "and its positive side; move it or leave the cut out",
                      g.low[k], g.high[k], c, c));
  }
}

}  // namespace

void check_parts(const Geometry& g) {
  check_domain(g);
  std::map<std::string, std::pair<bool, std::size_t>> kinds{{g.domain_region, {false, g.parts.size()}}};
  for (std::size_t i = 0; i < g.parts.size(); ++i) {
    const Named named{describe(g, i)};
    check_part(g.parts[i], named);
    const auto [at, fresh] = kinds.emplace(g.parts[i].region, std::pair{g.parts[i].conductor, i});
    if (!fresh && at->second.first != g.parts[i].conductor)
      named.refuse(
          fmt::format("the region '{}' is a conductor in one part and a volume in another; rename one",
                      g.parts[i].region));
  }
}

}  // namespace umov::mesh
