// Revolution of outlines, fragments of overlapping solids, and who owns each piece.
#include "mesh/gmsh/solids.hpp"

#include <fmt/format.h>
#include <gmsh.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "mesh/part_shape.hpp"

namespace umov::mesh {

namespace {

namespace occ = gmsh::model::occ;
using Tags = gmsh::vectorpair;
constexpr double degree = pi / 180;

/// A solid handed to the fragmentation: whose it is.
struct Input {
  int tag, part, copy;
  double start, angle;  ///< of a revolved sector, degrees
};

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

std::vector<int> volumes_in(const Tags& tags) {
  std::vector<int> out;
  for (const auto& [dim, tag] : tags)
    if (dim == 3) out.push_back(tag);
  return out;
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
    if (std::abs(frame.origin[k]) > 1e-12 || std::abs(frame.column[2][k]) > 1e-12) continue;
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

using Box = std::array<double, 6>;  // low, high

Box bounding_box(int volume) {
  Box a;
  occ::getBoundingBox(3, volume, a[0], a[1], a[2], a[3], a[4], a[5]);
  return a;
}

constexpr double touching = 1e-6;  // m, of bounding boxes, which are a little loose

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

bool overlap(const Box& a, const Box& b) {
  for (int k = 0; k < 3; ++k)
    if (a[k] > b[3 + k] + touching || b[k] > a[3 + k] + touching) return false;
  return true;
}

bool holds(const Box& outer, const Box& inner) {
  for (int k = 0; k < 3; ++k)
    if (inner[k] < outer[k] - touching || inner[3 + k] > outer[3 + k] + touching) return false;
  return true;
}

/// Of a solid of revolution: the ranges of radius and of place along its axis.
struct Ranges {
  double r_low = 1e300, r_high = 0, z_low = 1e300, z_high = -1e300;
  explicit Ranges(const Part& p) {
    for (const auto& e : outline(p)) {
      r_low = std::min(r_low, e.from[0]);
      r_high = std::max(r_high, e.from[0]);
      z_low = std::min(z_low, e.from[1]);
      z_high = std::max(z_high, e.from[1]);
    }
  }
};

/// True when two solids are seen to have no volume in common: beside one another, or around the same axis
/// with radii or heights that at most touch. Sparing their cut is what makes nested tubes quick.
bool apart(const Geometry& g, const Input& a, const Input& b) {
  const Part &p = g.parts[a.part], &q = g.parts[b.part];
  if (!is_revolved(p) || !is_revolved(q)) return false;
  const Frame f = frame_of(p, a.copy), h = frame_of(q, b.copy);
  const Vec3 between = f.local(h.origin);
  const double along = dot(f.column[2], h.column[2]);
  if (std::abs(along) < 1 - 1e-12 || std::hypot(between[0], between[1]) > 1e-12) return false;
  const Ranges m(p), n(q);
  const double low = between[2] + (along > 0 ? n.z_low : -n.z_high);
  const double high = between[2] + (along > 0 ? n.z_high : -n.z_low);
  const double near = 1e-9 * (m.r_high + m.z_high - m.z_low);
  return m.r_high < n.r_low + near || n.r_high < m.r_low + near || m.z_high < low + near ||
         high < m.z_low + near;
}

/// Takes later parts away from earlier ones, whose covered ends would otherwise leave traces in them.
void cover(const Geometry& g, std::vector<Input>& inputs) {
  std::vector<Box> boxes;
  for (const auto& input : inputs) boxes.push_back(bounding_box(input.tag));
  std::vector<Input> out;
  std::vector<int> covered_by(g.parts.size(), -1);
  std::vector<bool> alive(g.parts.size(), false);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const int part = inputs[i].part;
    Tags later, left{{3, inputs[i].tag}};
    for (std::size_t j = i + 1; j < inputs.size(); ++j) {
      if (inputs[j].part == part || !overlap(boxes[i], boxes[j]) || apart(g, inputs[i], inputs[j])) continue;
      later.push_back({3, inputs[j].tag});
      if (covered_by[part] < 0 || holds(boxes[j], boxes[i])) covered_by[part] = inputs[j].part;
    }
    std::vector<Tags> map;
    if (!later.empty()) {
      left.clear();
      occ::cut({{3, inputs[i].tag}}, later, left, map, -1, true, false);
    }
    for (const int tag : volumes_in(left)) {
      out.push_back(inputs[i]);
      out.back().tag = tag;
      alive[part] = true;
    }
  }
  for (std::size_t i = 0; i < g.parts.size(); ++i) {
    if (alive[i]) continue;
    if (covered_by[i] < 0)
      throw BadInput(
          describe(g, i) +
          " lies wholly behind a plane of symmetry (only the side with positive coordinates is kept); "
          "move it to the kept side or leave it out");
    throw BadInput(
        fmt::format("{} is covered wholly by {} (later parts cover earlier ones); put it after that part",
                    describe(g, i), describe(g, covered_by[i])));
  }
  inputs = out;
}

int add_domain(const Geometry& g) {
  Vec3 low = g.low;
  for (const auto& cut : g.cut) low[cut[0] - 'x'] = 0;
  const Vec3 d = g.high - low;
  const int box = occ::addBox(low[0], low[1], low[2], d[0], d[1], d[2]);
  if (g.domain_shape == "box") return box;
  const Vec3 middle = 0.5 * (g.low + g.high);
  const int round = occ::addCylinder(middle[0], middle[1], low[2], 0, 0, d[2], (g.high[0] - g.low[0]) / 2);
  if (g.cut.empty() || (g.cut.size() == 1 && g.cut[0] == "z")) {
    occ::remove({{3, box}}, true);
    return round;
  }
  Tags out;
  std::vector<Tags> map;
  occ::intersect({{3, round}}, {{3, box}}, out, map);
  return volumes_in(out).at(0);
}

[[noreturn]] void refuse_outside(const Geometry& g, int part, int piece) {
  const Box a = bounding_box(piece);
  throw BadInput(
      fmt::format("{} reaches out of the domain (a piece from ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, "
                  "{:.6g}) m lies outside); enlarge the domain or move the part",
                  describe(g, part), a[0], a[1], a[2], a[3], a[4], a[5]));
}

/// Names the faces of the domain that a face lies in.
std::string outer_name(const Geometry& g, int face) {
  double a[6];
  gmsh::model::getBoundingBox(2, face, a[0], a[1], a[2], a[3], a[4], a[5]);
  const double near = 1e-6 + 1e-7 * norm(g.high - g.low);
  for (int k = 0; k < 3; ++k) {
    const char axis = char('x' + k);
    const bool cut = std::find(g.cut.begin(), g.cut.end(), std::string(1, axis)) != g.cut.end();
    const double low = cut ? 0 : g.low[k];
    if (std::abs(a[k] - low) < near && std::abs(a[3 + k] - low) < near) {
      if (cut) return std::string("symmetry_") + axis;
      if (k == 2 || g.domain_shape == "box") return std::string(1, axis) + "_min";
    }
    if (std::abs(a[k] - g.high[k]) < near && std::abs(a[3 + k] - g.high[k]) < near &&
        (k == 2 || g.domain_shape == "box"))
      return std::string(1, axis) + "_max";
  }
  return g.domain_shape == "cylinder" ? "side" : "";
}

using Owners = std::map<int, int>;  // piece -> part, -1 the domain

/// Last part that holds each piece.
Owners find_owners(const Geometry& g, const std::vector<Input>& inputs, const std::vector<Tags>& map) {
  Owners owners;
  for (const int v : volumes_in(map[0])) owners[v] = -1;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (const int v : volumes_in(map[i + 1])) {
      const auto found = owners.find(v);
      if (found == owners.end()) refuse_outside(g, inputs[i].part, v);
      found->second = inputs[i].part;
    }
  return owners;
}

Pieces sort_out(const Geometry& g, const Owners& owners) {
  Pieces pieces;
  std::map<int, std::vector<int>> touching;  // face -> pieces, removed ones too
  for (const auto& [v, owner] : owners) {
    Tags faces;
    gmsh::model::getBoundary({{3, v}}, faces, false, false, false);
    for (const auto& [dim, f] : faces) touching[f].push_back(v);
  }
  const auto conductor = [&](int v) { return owners.at(v) >= 0 && g.parts[owners.at(v)].conductor; };
  Tags gone;
  for (const auto& [v, owner] : owners) {
    if (conductor(v))
      gone.push_back({3, v});
    else
      pieces.volumes.push_back({v, owner});
  }
  if (pieces.volumes.empty())
    throw BadInput("the conductors fill the whole domain (nothing is left to mesh); make them smaller");
  for (const auto& [f, around] : touching) {
    Pieces::Face face{f, {}, {}};
    std::set<std::string> groups;
    const std::string outer = around.size() == 1 ? outer_name(g, f) : "";
    const bool mirror = outer.starts_with("symmetry_");  // there the whole body has no surface
    for (const int v : around) {
      if (!conductor(v)) face.sides.push_back(v);
      const int owner = owners.at(v);
      if (owner < 0) continue;
      const Part& p = g.parts[owner];
      const bool inner = around.size() == 2 && owners.at(around[0]) == owners.at(around[1]);
      if (p.conductor) groups.insert(p.region);
      if (p.surface_group && !inner && !mirror) groups.insert(p.region + "_surface");
    }
    if (face.sides.empty()) continue;
    if (!outer.empty()) groups.insert(outer);
    face.groups.assign(groups.begin(), groups.end());
    pieces.faces.push_back(face);
  }
  if (!gone.empty()) {
    occ::remove(gone, true);
    occ::synchronize();
  }
  return pieces;
}

}  // namespace

std::string owner_name(const Geometry& g, int owner) {
  return owner < 0 ? "the domain" : describe(g, std::size_t(owner));
}

Pieces make_pieces(const Geometry& g) {
  const int domain = add_domain(g);
  std::vector<Input> inputs;
  for (std::size_t i = 0; i < g.parts.size(); ++i) {
    try {
      add_part(g, int(i), inputs);
    } catch (const Error&) {
      throw;
    } catch (...) {
      std::string said;
      gmsh::logger::getLastError(said);
      throw BadInput(fmt::format("{} could not be built ({}); check its lengths", describe(g, i), said));
    }
  }
  cover(g, inputs);
  Tags tools, out;
  std::vector<Tags> map{{{3, domain}}};
  for (const auto& input : inputs) tools.push_back({3, input.tag});
  if (!tools.empty()) {
    map.clear();
    occ::fragment({{3, domain}}, tools, out, map);
  }
  const Owners owners = find_owners(g, inputs, map);
  occ::synchronize();
  Pieces pieces = sort_out(g, owners);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Part& p = g.parts[inputs[i].part];
    if (p.across == 0) continue;
    const auto mine = volumes_in(map[i + 1]);
    if (mine.size() != 1 || !owners.count(mine[0]) || owners.at(mine[0]) != inputs[i].part)
      throw BadInput(
          describe(g, inputs[i].part) +
          " is cut by another part or a plane of symmetry (a structured tube must stay whole); leave "
          "`across` out or move what cuts it");
    if (!p.conductor)
      pieces.grids.push_back({inputs[i].part, inputs[i].copy, mine[0], inputs[i].start, inputs[i].angle});
  }
  return pieces;
}

}  // namespace umov::mesh
