// Faces of materials around a few nodes, and how they meet.
#include "eqs/observables/peak_edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "mesh/round/round_skin.hpp"
#include "mesh/round/skin.hpp"

namespace umov::eqs {

namespace {

using mesh::Tet;
using mesh::Tri;

constexpr const char *meant = "an edge", *facets = "an edge between facets";

std::string opening_of(const std::string& material) {
  return fmt::format("the largest |E| of material '{}' lies on ", material);
}

/// What one material has of a face, seen from inside: `away` is the corner of its element that is not of it.
struct Side {
  int material, away;
};
using Faces = std::map<Tri, std::vector<Side>>;

/// Per material the nodes of its element at a place; empty where it has none there.
std::vector<std::vector<int>> nodes_at(const Problem& p, const std::vector<Vec3>& at) {
  std::vector<std::vector<int>> out(at.size());
  const auto& x = p.mesh.nodes;
  for (std::size_t i = 0; i < p.mesh.tets.size(); ++i) {
    const Tet& t = p.mesh.tets[i];
    const auto m = std::size_t(p.material[i]);
    if (m >= at.size() || !out[m].empty()) continue;
    if (p.order == 1) {
      Vec3 middle{0, 0, 0};
      for (const int k : t) middle = middle + 0.25 * x[k];
      if (middle == at[m]) out[m].assign(t.begin(), t.end());
    } else {
      for (const int k : t)
        if (x[k] == at[m]) out[m] = {k};
    }
  }
  return out;
}

Faces faces_around(const Problem& p, const std::vector<char>& marked) {
  Faces out;
  for (std::size_t i = 0; i < p.mesh.tets.size(); ++i) {
    const Tet& t = p.mesh.tets[i];
    if (!marked[t[0]] && !marked[t[1]] && !marked[t[2]] && !marked[t[3]]) continue;
    for (int k = 0; k < 4; ++k) {
      Tri f{t[(k + 1) % 4], t[(k + 2) % 4], t[(k + 3) % 4]};
      std::sort(f.begin(), f.end());
      out[f].push_back({p.material[i], t[k]});
    }
  }
  return out;
}

bool alike(const CurveSpec& a, const CurveSpec& b) {
  return a.kind == CurveSpec::Kind::constant && b.kind == CurveSpec::Kind::constant && a.value == b.value;
}
/// Fields pass from one to the other as if they were one.
bool alike(const Material& a, const Material& b) {
  return alike(a.permittivity, b.permittivity) && alike(a.conductivity, b.conductivity);
}

/// What a face at which a material ends is to its field: one to another material, one of an electrode, or one
/// that no flux passes, as of a plane of symmetry.
enum class End : char { between, fixed, wall };

bool on_one_electrode(const Problem& p, const Tri& face) {
  const int first = p.node_electrode[std::size_t(face[0])];
  return first >= 0 &&
         std::ranges::all_of(face, [&](int n) { return p.node_electrode[std::size_t(n)] == first; });
}

/// The faces at which a material ends or meets another one.
struct Ends {
  std::vector<Tri> faces;
  std::vector<int> away;
  std::vector<End> kind;
};
Ends ends_of(const Problem& p, const Faces& all, int material) {
  Ends out;
  for (const auto& [face, sides] : all) {
    const auto own = std::ranges::find(sides, material, &Side::material);
    const bool between =
        sides.size() == 2 && sides[0].material != sides[1].material &&
        !alike(p.materials[std::size_t(sides[0].material)], p.materials[std::size_t(sides[1].material)]);
    if (own == sides.end() || (sides.size() == 2 && !between)) continue;
    out.faces.push_back(face), out.away.push_back(own->away);
    out.kind.push_back(between ? End::between : on_one_electrode(p, face) ? End::fixed : End::wall);
  }
  return out;
}

/// Whether the material reaches around the edge of two faces: the one lies beyond the plane of the other.
bool reaches_around(const Problem& p, const Ends& e, const mesh::FaceEdge& a, const mesh::FaceEdge& b) {
  const auto& x = p.mesh.nodes;
  const Vec3 &o = x[a.low], normal = cross(x[a.high] - o, x[a.opposite] - o);
  return dot(normal, x[b.opposite] - o) * dot(normal, x[e.away[std::size_t(a.face)]] - o) < 0;
}

/// The edge of two faces, if it makes the field singular. A surface that ends at a wall goes on in its mirror
/// image: beside an angle b of the material, the whole has 2 b.
PeakEdge edge_of(const Problem& p, const Ends& e, const mesh::FaceEdge& a, const mesh::FaceEdge& b) {
  const End one = e.kind[std::size_t(a.face)], other = e.kind[std::size_t(b.face)];
  const double turn = mesh::turn_between(p.mesh, a, b);
  const bool around = reaches_around(p, e, a, b), at_wall = (one == End::wall) != (other == End::wall);
  const bool between = one == End::between || other == End::between;
  if (at_wall && !around) {
    const double beyond = pi - 2 * turn;  // 2 b - pi
    return {.turn = between ? std::abs(beyond) : std::max(0.0, beyond), .mirrored = true};
  }
  const bool singular = one == End::between ? other == one : around && !between;
  return {.turn = singular ? turn : 0};
}

PeakEdge sharpest(const Problem& p, const Ends& e, const std::vector<int>& nodes) {
  PeakEdge out;
  const auto edges = mesh::edges_of_faces(e.faces);
  const auto has = [&](int n) { return std::find(nodes.begin(), nodes.end(), n) != nodes.end(); };
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const auto &a = edges[i], &b = edges[i + 1];
    if (!a.same(b) || (!has(a.low) && !has(a.high))) continue;
    const PeakEdge here = edge_of(p, e, a, b);
    if (here.turn > out.turn) out = here;
  }
  return out;
}

}  // namespace

bool PeakEdge::round() const { return of_round || turn < mesh::meant_edge; }

std::vector<PeakEdge> peak_edges(const Problem& p, const std::vector<Vec3>& at) {
  std::vector<PeakEdge> out(at.size());
  const auto nodes = nodes_at(p, at);
  std::vector<char> marked(p.mesh.nodes.size(), 0);
  for (const auto& list : nodes)
    for (const int n : list) marked[std::size_t(n)] = 1;
  const Faces faces = faces_around(p, marked);
  for (std::size_t m = 0; m < at.size(); ++m) out[m] = sharpest(p, ends_of(p, faces, int(m)), nodes[m]);
  return out;
}

std::string peak_warning(const Problem& p, std::size_t material, const PeakEdge& e) {
  const double degrees = e.turn * 180 / pi;
  const std::string opening = opening_of(p.materials[material].name);
  const char* image = e.mirrored ? " with its mirror image beyond a wall" : "";
  if (!e.round())
    return opening + fmt::format(
                         "{} that turns by {:.0f} degrees{} (no finite field is there: the value grows "
                         "with every refinement); round the edge (fillet), or read the field off a "
                         "line beside it",
                         meant, degrees, image);
  // measured on a ball with nodes left short: 64 and 78 per cent where the bound below says 34 and 29
  if (std::ranges::any_of(p.warnings, mesh::tells_of_nodes_left_short))
    return opening + fmt::format(
                         "{} that turn by {:.1f} degrees{} where the surface is round, in a mesh whose "
                         "refinement left nodes short of their round surfaces (a surface with dents bounds "
                         "no error: the value may be off by its own size); make the elements of round "
                         "surfaces smaller before refinement (mesh_size of the part), so that none are left",
                         facets, degrees, e.mirrored ? ", one the other's mirror image at a wall," : "");
  if (degrees < 1) return "";
  // measured on voids, dielectric and conducting spheres and cylinders, both orders: 0.005 to 0.016 a
  // degree; on a conducting sphere in a shell of permittivity 4, by a mesh of Gmsh, 0.0193; in the corner of
  // a spherical sector of one element 0.0204
  // elements of first order have their value in the middle, off the edge
  const char* why = p.order == 1
                        ? "the value of elements of first order beside it may be too small or too large"
                        : "such an edge is singular: the value may be too large";
  return opening + fmt::format(
                       "{} that turn by {:.1f} degrees{} where the surface is round ({} by up to {:.0f} per "
                       "cent); refine further{}",
                       facets, degrees, e.mirrored ? ", one the other's mirror image at a wall," : "", why,
                       std::ceil(2.1 * degrees), p.order == 1 ? ", or take elements of second order" : "");
}

std::string peak_remark(const std::vector<std::string>& warnings, const std::string& material) {
  const std::string opening = opening_of(material);
  for (const auto& w : warnings)
    for (const char* kind : {meant, facets})
      if (w.find(opening + kind + " that") != w.npos) return std::string(", on ") + kind;
  return "";
}

}  // namespace umov::eqs
