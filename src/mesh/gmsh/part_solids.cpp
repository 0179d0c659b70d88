// Boxes, extrusions and revolutions of outlines, turned, moved and cut at planes of symmetry.
#include "mesh/gmsh/part_solids.hpp"

#include <algorithm>

#include "mesh/part_shape.hpp"

namespace umov::mesh {

namespace {

namespace occ = gmsh::model::occ;

int face_of(const std::vector<OutlineEdge>& edges, bool revolved, double start, double z0) {
  const double c = std::cos(start * degree), s = std::sin(start * degree);
  const auto point = [&](const Point2& p) {
    return revolved ? occ::addPoint(p[0] * c, p[0] * s, p[1]) : occ::addPoint(p[0], p[1], z0);
  };
  std::vector<int> corners, curves;
  for (const auto& e : edges) corners.push_back(point(e.from));
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const int a = corners[i], b = corners[(i + 1) % corners.size()];
    curves.push_back(edges[i].arc ? occ::addCircleArc(a, point(edges[i].center), b) : occ::addLine(a, b));
  }
  return occ::addPlaneSurface({occ::addCurveLoop(curves)});
}

int revolve(const std::vector<OutlineEdge>& edges, double start, double angle) {
  Tags out;
  occ::revolve({{2, face_of(edges, true, start, 0)}}, 0, 0, 0, 0, 0, 1, angle * degree, out);
  return volumes_in(out).at(0);
}

/// The sector of a whole solid of revolution that the planes of symmetry keep (degrees in its own frame):
/// those that hold its axis; {0, 360} when none does. Building only that spares the kernel many cuts.
std::pair<double, double> kept_sector(const Geometry& g, const Frame& frame) {
  double low = 0, high = 360;
  bool first = true;
  for (const auto& cut : g.cut) {
    const int k = cut[0] - 'x';
    if (std::abs(frame.origin[k]) > rounding(g) || std::abs(frame.column[2][k]) > 1e-12) continue;
    double middle = std::atan2(frame.column[1][k], frame.column[0][k]) / degree;
    if (first) {
      low = middle - 90;
      high = middle + 90;
      first = false;
      continue;
    }
    while (middle - (low + high) / 2 > 180) middle -= 360;
    while (middle - (low + high) / 2 < -180) middle += 360;
    low = std::max(low, middle - 90);
    high = std::min(high, middle + 90);
  }
  return {low, high - low};
}

void move_to(const Part& p, int copy, const std::vector<int>& volumes) {
  Tags tags;
  for (const int v : volumes) tags.push_back({3, v});
  const auto [about, angle] = tilt(p);
  if (angle != 0) occ::rotate(tags, 0, 0, 0, about[0], about[1], about[2], angle);
  if (norm(p.center) > 0) occ::translate(tags, p.center[0], p.center[1], p.center[2]);
  if (copy == 0) return;
  if (p.turn != 0) occ::rotate(tags, 0, 0, 0, 0, 0, 1, copy * p.turn * degree);
  const Vec3 shift = double(copy) * p.shift;
  if (norm(shift) > 0) occ::translate(tags, shift[0], shift[1], shift[2]);
}

/// Cuts off what lies behind the planes of symmetry; nothing is left of solids that lie there wholly.
std::vector<int> trimmed(const Geometry& g, int volume) {
  Box box = bounding_box(volume);
  bool crosses = false;
  for (const auto& cut : g.cut) {
    const int k = cut[0] - 'x';
    if (box[3 + k] < touching) {
      occ::remove({{3, volume}}, true);
      return {};
    }
    crosses = crosses || box[k] < -touching;
    box[k] = std::max(box[k], 0.0);
  }
  if (!crosses) return {volume};
  for (int k = 0; k < 3; ++k) {
    const bool cut = std::find(g.cut.begin(), g.cut.end(), std::string(1, char('x' + k))) != g.cut.end();
    if (!cut) box[k] -= 1;
    box[3 + k] += 1;
  }
  const int kept = occ::addBox(box[0], box[1], box[2], box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  Tags out;
  std::vector<Tags> map;
  occ::intersect({{3, volume}}, {{3, kept}}, out, map);
  return volumes_in(out);
}

}  // namespace

double rounding(const Geometry& g) { return 1e-12 * norm(g.high - g.low); }

std::vector<int> volumes_in(const Tags& tags) {
  std::vector<int> out;
  for (const auto& [dim, tag] : tags)
    if (dim == 3) out.push_back(tag);
  return out;
}

Box bounding_box(int volume) {
  Box a;
  occ::getBoundingBox(3, volume, a[0], a[1], a[2], a[3], a[4], a[5]);
  return a;
}

double volume_of(int tag) {
  double volume = 0;
  occ::getMass(3, tag, volume);
  return volume;
}

void add_part(const Geometry& g, int index, std::vector<Input>& inputs) {
  const Part& p = g.parts[index];
  const auto edges = outline(p);
  for (int copy = 0; copy < p.copies; ++copy) {
    std::vector<int> made;
    double start = p.start, angle = p.angle, piece = p.angle;
    if (p.shape == "box") {
      made.push_back(
          occ::addBox(-p.size[0] / 2, -p.size[1] / 2, -p.size[2] / 2, p.size[0], p.size[1], p.size[2]));
    } else if (p.shape == "extrusion") {
      Tags out;
      occ::extrude({{2, face_of(edges, false, 0, -p.height / 2)}}, 0, 0, p.height, out);
      made.push_back(volumes_in(out).at(0));
    } else {
      if (angle == 360) {
        const auto kept = kept_sector(g, frame_of(p, copy));
        if (kept.second < 360) std::tie(start, angle) = kept;
      }
      // A grid needs sectors with six faces.
      const int pieces = p.across > 0 ? int(std::ceil(angle / 90 - 1e-9)) : 1;
      piece = angle / pieces;
      for (int i = 0; i < pieces; ++i) made.push_back(revolve(edges, start + i * piece, piece));
    }
    move_to(p, copy, made);
    for (std::size_t i = 0; i < made.size(); ++i)
      for (const int tag : trimmed(g, made[i]))
        inputs.push_back({tag, index, copy, start + double(i) * piece, piece});
  }
}

}  // namespace umov::mesh
