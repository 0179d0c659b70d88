// Fragments of overlapping solids, and who owns each piece.
#include "mesh/gmsh/solids.hpp"

#include <fmt/format.h>
#include <gmsh.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "mesh/gmsh/check_volumes.hpp"
#include "mesh/gmsh/part_solids.hpp"
#include "mesh/part_shape.hpp"

namespace umov::mesh {

namespace {

namespace occ = gmsh::model::occ;

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

/// What to do about a piece beyond a face of the domain that may be meant as a plane of symmetry, low = 0.
std::string remedy_outside(const Geometry& g, const Box& piece) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::string letter(1, char('x' + axis));
    if (g.low[axis] != 0 || piece[axis] > -1e-6 * (piece[axis + 3] - piece[axis]) ||
        std::ranges::count(g.cut, letter))
      continue;
    std::string cut = "cut = [";
    for (const auto& c : g.cut) cut += "\"" + c + "\", ";
    return fmt::format("enlarge the domain, move the part, or keep its half above {} = 0: {}\"{}\"]", letter,
                       cut, letter);
  }
  return "enlarge the domain or move the part";
}

[[noreturn]] void refuse_outside(const Geometry& g, double unit, int part, int piece) {
  Box a = bounding_box(piece);
  for (double& x : a) x *= unit;
  throw BadInput(
      fmt::format("{} reaches out of the domain (a piece from ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, "
                  "{:.6g}) m lies outside); {}",
                  describe(g, part), a[0], a[1], a[2], a[3], a[4], a[5], remedy_outside(g, a)));
}

/// Names the faces of the domain that a face lies in.
std::string outer_name(const Geometry& g, int face) {
  double a[6];
  gmsh::model::getBoundingBox(2, face, a[0], a[1], a[2], a[3], a[4], a[5]);
  const double near = touching + 1e-7 * norm(g.high - g.low);
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
Owners find_owners(const Geometry& g, double unit, const std::vector<Input>& inputs,
                   const std::vector<Tags>& map) {
  Owners owners;
  for (const int v : volumes_in(map[0])) owners[v] = -1;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (const int v : volumes_in(map[i + 1])) {
      const auto found = owners.find(v);
      if (found == owners.end()) refuse_outside(g, unit, inputs[i].part, v);
      found->second = inputs[i].part;
    }
  return owners;
}

Pieces sort_out(const Geometry& g, const Owners& owners) {
  Pieces pieces;
  std::map<int, std::vector<int>> beside;  // face -> pieces, removed ones too
  for (const auto& [v, owner] : owners) {
    Tags faces;
    gmsh::model::getBoundary({{3, v}}, faces, false, false, false);
    for (const auto& [dim, f] : faces) beside[f].push_back(v);
  }
  const auto conductor = [&](int v) { return owners.at(v) >= 0 && g.parts[owners.at(v)].conductor; };
  Tags gone;
  for (const auto& [v, owner] : owners) {
    if (conductor(v))
      gone.push_back({3, v});
    else
      pieces.volumes.push_back({v, owner, volume_of(v)});
  }
  if (pieces.volumes.empty())
    throw BadInput("the conductors fill the whole domain (nothing is left to mesh); make them smaller");
  for (const auto& [f, around] : beside) {
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

Pieces make_pieces(const Geometry& g, double unit) {
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
  const std::vector<double> before = volumes_before(domain, inputs);
  Tags tools, out;
  std::vector<Tags> map{{{3, domain}}};
  for (const auto& input : inputs) tools.push_back({3, input.tag});
  if (!tools.empty()) {
    map.clear();
    occ::fragment({{3, domain}}, tools, out, map);
  }
  check_pieces(g, inputs, before, map);
  const Owners owners = find_owners(g, unit, inputs, map);
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
