// Bodies and currents that a symmetry plane does not suit: what lies behind the plane is not computed, so it
// must be the image of what lies in front.
#include <fmt/format.h>

#include <algorithm>

#include "fdtd/kind_names.hpp"
#include "fdtd/model/bodies.hpp"
#include "fdtd/model/validate_parts.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {
namespace {

constexpr int samples = 1500;

/// The symmetry plane of an axis; `side` is that of the half that is not computed.
struct Mirror {
  int axis, side;
  Vec3 image(Vec3 p) const {
    p[axis] = -p[axis];
    return p;
  }
  bool behind(double low, double high, double slack) const { return side == 0 ? low < -slack : high > slack; }
};

/// Evenly scattered over a box: the additive recurrence of the generalised golden ratio of three dimensions
/// (Roberts 2018).
Vec3 scattered(int n, const Vec3& low, const Vec3& high) {
  constexpr double step[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
  Vec3 p;
  for (int a = 0; a < 3; ++a) {
    const double u = 0.5 + n * step[a];
    p[a] = low[a] + (u - std::floor(u)) * (high[a] - low[a]);
  }
  return p;
}

/// Newton's steps from p to the surface; the outward normal in `normal`.
bool to_surface(const shapes::Body& body, const Extent& e, Vec3& p, Vec3& normal) {
  for (int i = 0; i < 8; ++i) {
    auto at = body.probe(p);
    for (int a = dimensions(e.mode); a < 3; ++a) at.gradient[a] = 0;
    const double length2 = dot(at.gradient, at.gradient);
    if (!(length2 > 0)) return false;
    normal = (1 / std::sqrt(length2)) * at.gradient;
    if (std::fabs(at.distance) < 1e-7 * e.dx) return true;
    p = p - (at.distance / length2) * at.gradient;
  }
  return false;
}

bool in_domain(const Vec3& p, const Extent& e) {
  for (int a = 0; a < dimensions(e.mode); ++a)
    if (p[a] < e.low[a] || p[a] > e.high[a]) return false;
  return true;
}

/// A place on either side of the body's surface whose material is not that of its image, if there is one.
std::optional<Vec3> broken_at(const shapes::Body& body, const Scene& scene, const Extent& e,
                              const Mirror& m) {
  const auto bounds = body.bounds();
  Vec3 low{0, 0, 0}, high{0, 0, 0};
  for (int a = 0; a < dimensions(e.mode); ++a) {
    low[a] = std::clamp(bounds.low[a] - e.dx, e.low[a], e.high[a]);
    high[a] = std::clamp(bounds.high[a] + e.dx, e.low[a], e.high[a]);
  }
  for (int n = 0; n < samples; ++n) {
    Vec3 p = scattered(n, low, high), normal{0, 0, 0};
    if (!to_surface(body, e, p, normal) || !in_domain(p, e)) continue;
    const double off = std::fabs(body.probe(m.image(p)).distance);
    if (off < 1e-3 * e.dx) continue;  // its image is on the surface, too
    // Just beside the surface, where a partner of another size shows, and further off.
    for (const double part : {-0.5, 0.5, -0.03, 0.03, -1e-3, 1e-3}) {
      const Vec3 q = p + (part * std::min(off, e.dx)) * normal;
      if (in_domain(q, e) && scene.material_at(q) != scene.material_at(m.image(q))) return q;
    }
  }
  return std::nullopt;
}

void check_body(const Simulation& s, std::size_t number, const Scene& scene, const Extent& e, const Mirror& m,
                Findings& found) {
  const auto body = make_body(s, number);
  const auto bounds = body->bounds();
  if (!m.behind(bounds.low[m.axis], bounds.high[m.axis], 1e-6 * e.dx)) return;
  const auto place = broken_at(*body, scene, e, m);
  if (!place) return;
  const auto name = [&](const Vec3& p) { return scene.materials()[scene.material_at(p)].name; };
  const Vec3 image = m.image(*place);
  found.push_back(
      {Severity::stop,
       fmt::format(
           "{}: is not symmetric about {} = 0, where a wall is a mirror ('{}' at ({:.4g}, {:.4g}, "
           "{:.4g}), '{}' at ({:.4g}, {:.4g}, {:.4g}); what lies at {} {} 0 is not computed but taken "
           "for the image of the other half); make it symmetric, or compute the whole domain",
           body_label(s, number), "xyz"[m.axis], name(*place), (*place)[0], (*place)[1], (*place)[2],
           name(image), image[0], image[1], image[2], "xyz"[m.axis], m.side == 0 ? '<' : '>')});
}

/// A point or plane of current along a plane through which the tangential E is odd.
void check_source(const Simulation& s, std::size_t number, const Extent& e, const Mirror& m,
                  Findings& found) {
  const SourceSpec& source = s.sources[number];
  if (!fills_box(source) || !is_electric(source.component) || axis_of(source.component) == m.axis) return;
  if (source.size[m.axis] > 0 || std::abs(source.center[m.axis]) > 1e-6 * e.dx) return;
  const char plane = "xyz"[m.axis];
  found.push_back(
      {Severity::refusal,
       fmt::format(
           "source {}: its {} lies on the symmetry plane {} = 0 and along it (the wall {} is mirror_odd, "
           "which makes E along the plane zero: the current and its mirror image cancel); move it off "
           "the plane, or make the wall mirror_even",
           source.name.empty() ? std::to_string(number + 1) : "'" + source.name + "'", word(source.component),
           plane, plane)});
}

}  // namespace

void validate_mirrors(const Simulation& s, const Scene& scene, const Surroundings& around, Findings& found) {
  const Extent& e = around.extent();
  for (int a = 0; a < dimensions(e.mode); ++a)
    for (int side = 0; side < 2; ++side)
      for (std::size_t b = 0; is_mirror(s.walls[a][side]) && b < s.bodies.size(); ++b)
        check_body(s, b, scene, e, {a, side}, found);
  for (int a = 0; a < dimensions(e.mode); ++a)
    for (int side = 0; side < 2; ++side)
      for (std::size_t i = 0;
           is_mirror(s.walls[a][side]) && is_electric_wall(s.walls[a][side]) && i < s.sources.size(); ++i)
        check_source(s, i, e, {a, side}, found);
}

}  // namespace umov::fdtd
