// Faces and the surfaces they belong to; where new nodes of their edges go.
#include "mesh/round/round_skin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mesh/round/recognise.hpp"
#include "mesh/round/settle.hpp"

namespace umov::mesh {

namespace {

int middle_of(const std::vector<Edge>& middles, int corners, int a, int b) {
  const Edge wanted{std::min(a, b), std::max(a, b)};
  return corners + int(std::lower_bound(middles.begin(), middles.end(), wanted) - middles.begin());
}

/// What holds a new node: a surface in closed form, or the tangent plane of a smooth one.
struct Hold {
  const RoundSurface* surface = nullptr;
  Vec3 point{0, 0, 0}, normal{0, 0, 0};
  Vec3 nearest(const Vec3& x) const {
    return surface ? surface->closest(x) : x - dot(x - point, normal) * normal;
  }
  bool flat() const { return surface && surface->flat(); }
};

/// Whether two surfaces of revolution have one axis.
bool coaxial(const RoundSurface& a, const RoundSurface& b) {
  if (norm(cross(a.axis, b.axis)) > 1e-9) return false;
  const Vec3 d = b.origin - a.origin, across = d - dot(d, a.axis) * a.axis;
  return b.flat() || a.flat() || norm(across) < 1e-9 * (norm(d) + a.radius + a.at[0]);
}

/// The nearest point on all of them, by going to one after the other. Surfaces of one axis meet in circles
/// about it: there they may be tangent, and that way would have no end.
Vec3 nearest_on(const std::vector<Hold>& holds, const Vec3& a, const Vec3& b, Vec3 x) {
  const double length = norm(b - a);
  const auto round = std::find_if(holds.begin(), holds.end(), [](const Hold& h) { return !h.flat(); });
  const bool circle = holds.size() > 1 && std::all_of(holds.begin(), holds.end(), [&](const Hold& h) {
                        return h.surface && round->surface && coaxial(*round->surface, *h.surface);
                      });
  if (circle) return round->surface->between(a, b);
  for (int i = 0; i < 200; ++i) {
    const Vec3 before = x;
    for (const Hold& h : holds) x = h.nearest(x);
    if (norm(x - before) < 1e-14 * length) break;
  }
  return x;
}

/// A node of flat faces may move in them.
void let_slide(const std::vector<Hold>& holds, SkinNode& n) {
  n.placed = false;
  for (const Hold& h : holds) {
    Vec3 normal = h.surface->axis;
    for (int k = 0; k < n.planes; ++k) normal = normal - dot(normal, n.normal[k]) * n.normal[k];
    if (norm(normal) < 1e-6) continue;
    n.normal[n.planes++] = (1 / norm(normal)) * normal;
    if (n.planes == 3) break;
  }
}

}  // namespace

RoundSkin::RoundSkin(const TetMesh& mesh, const Geometry* geometry) {
  if (geometry) surfaces_ = surfaces_of(*geometry);
  const bool round = std::any_of(surfaces_.begin(), surfaces_.end(), [](const auto& s) { return !s.flat(); });
  if (geometry && !round) return;
  faces_ = skin_faces(mesh);
  surface_.assign(faces_.size(), -1);
  recognise_known(mesh);
  if (!geometry) recognise(mesh, faces_, surface_, surfaces_);
  find_normals(mesh);
  flat_ = normals_.empty() && std::all_of(surface_.begin(), surface_.end(),
                                          [&](int s) { return surfaces_[std::size_t(s)].flat(); });
}

void RoundSkin::recognise_known(const TetMesh& mesh) {
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    double best = INFINITY;
    for (std::size_t s = 0; s < surfaces_.size(); ++s) {
      const double off = misfit(mesh, faces_[i], surfaces_[s]);
      // planes first: three nodes on a circle may be on a sphere, too
      const double rank = off + (surfaces_[s].flat() ? 0 : 1e-6);
      if (off < 2e-3 && rank < best) best = rank, surface_[i] = int(s);
    }
  }
}

void RoundSkin::find_normals(const TetMesh& mesh) {
  std::vector<int> patch(faces_.size());
  bool any = false;
  for (std::size_t i = 0; i < faces_.size(); ++i) any |= (patch[i] = surface_[i] < 0 ? 0 : -1) == 0;
  if (!any) return;
  join_patches(mesh, faces_, patch);
  normals_ = corner_normals(mesh, faces_, patch);
  for (std::size_t i = 0; i < faces_.size(); ++i)
    if (patch[i] >= 0) surface_[i] = int(surfaces_.size()) + patch[i];
}

void RoundSkin::follow(const TetMesh& coarse, const std::vector<Edge>& middles, TetMesh& fine) {
  if (flat_) return;
  const int corners = int(coarse.nodes.size());
  const auto edges = edges_of_faces(faces_);
  std::vector<SkinNode> nodes;
  for (std::size_t i = 0, end = 0; i < edges.size(); i = end) {
    std::vector<Hold> holds;
    std::vector<int> met;
    const Vec3 &a = coarse.nodes[edges[i].low], &b = coarse.nodes[edges[i].high], middle = 0.5 * (a + b);
    for (; end < edges.size() && edges[end].same(edges[i]); ++end) {
      const int f = edges[end].face, s = surface_[f];
      if (std::find(met.begin(), met.end(), s) != met.end()) continue;
      met.push_back(s);
      if (s < int(surfaces_.size())) {
        holds.push_back({&surfaces_[s], {}, {}});
      } else {
        const auto normal = [&](int node) {
          return normals_[f][std::find(faces_[f].begin(), faces_[f].end(), node) - faces_[f].begin()];
        };
        const Vec3 na = normal(edges[i].low), nb = normal(edges[i].high);
        holds.push_back({nullptr, middle + arc_over(a, b, na, nb), normal_between(a, b, na, nb)});
      }
    }
    SkinNode n{middle_of(middles, corners, edges[i].low, edges[i].high), {0, 0, 0}, true, 0, {}};
    if (std::all_of(holds.begin(), holds.end(), [](const Hold& h) { return h.flat(); })) {
      let_slide(holds, n);
    } else {
      const double length = norm(b - a);
      const Vec3 start = holds.size() == 1 && !holds[0].surface ? holds[0].point : middle;
      const Vec3 move = nearest_on(holds, a, b, start) - middle;
      if (norm(move) > 1e-13 * length && norm(move) < 0.3 * length) n.move = move;
    }
    nodes.push_back(n);
  }
  const auto went = settle(corners, middles, nodes, fine);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double far = norm(nodes[i].move), gap = (1 - went[i]) * far;
    if (!nodes[i].placed || far == 0) continue;
    ++report_.moved;
    report_.farthest = std::max(report_.farthest, far);
    if (gap > 0) ++report_.short_of;
    if (gap > report_.gap) report_.gap = gap, report_.where = fine.nodes[nodes[i].node];
  }
  cut_faces(coarse, middles);
}

void RoundSkin::cut_faces(const TetMesh& coarse, const std::vector<Edge>& middles) {
  std::vector<Tri> faces;
  std::vector<int> surface;
  std::vector<CornerNormals> normals;
  faces.reserve(4 * faces_.size());
  const auto& x = coarse.nodes;
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    const auto& [a, b, c] = faces_[i];
    const auto middle = [&](int p, int q) { return middle_of(middles, int(x.size()), p, q); };
    const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    faces.insert(faces.end(), {Tri{a, ab, ca}, Tri{ab, b, bc}, Tri{ca, bc, c}, Tri{ab, bc, ca}});
    surface.insert(surface.end(), 4, surface_[i]);
    if (normals_.empty()) continue;
    const auto& [na, nb, nc] = normals_[i];
    Vec3 nab{}, nbc{}, nca{};
    if (surface_[i] >= int(surfaces_.size())) {
      // the same to the last bit from either side
      const auto between = [&](int p, int q, const Vec3& np, const Vec3& nq) {
        return p < q ? normal_between(x[p], x[q], np, nq) : normal_between(x[q], x[p], nq, np);
      };
      nab = between(a, b, na, nb), nbc = between(b, c, nb, nc), nca = between(c, a, nc, na);
    }
    normals.insert(normals.end(), {CornerNormals{na, nab, nca}, CornerNormals{nab, nb, nbc},
                                   CornerNormals{nca, nbc, nc}, CornerNormals{nab, nbc, nca}});
  }
  faces_ = std::move(faces), surface_ = std::move(surface), normals_ = std::move(normals);
}

namespace {
constexpr const char* left_short = "new nodes short of the round surfaces";
}

bool tells_of_nodes_left_short(const std::string& warning) {
  return warning.find(left_short) != warning.npos;
}

std::string round_warning(const std::string& source, const RoundReport& r) {
  if (r.short_of == 0) return "";
  return fmt::format(
      "{}: refinement left {} of {} {} that they belong to, the farthest by {:.2g} m at ({:.6g}, {:.6g}, "
      "{:.6g}) m (elements there would be inverted or badly shaped; no bound is known for the largest |E| at "
      "such dents); make the elements there smaller before refinement",
      source, r.short_of, r.moved, left_short, r.gap, r.where[0], r.where[1], r.where[2]);
}

}  // namespace umov::mesh
