// Copies what cells are made of to their images.
#include "fdtd/observables/unfolded.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/error.hpp"

namespace umov::fdtd {
namespace {

/// Visits the slab's cells of one component, the upper rims that a magnetic wall keeps included, with the
/// stored cell each is an image of.
template <class Visit>
void for_each_cell(const UnfoldedSlab& slab, const Whole& whole, Component c, Visit&& visit) {
  const Grid& g = slab.problem.grid;
  Int3 end = g.cells;
  for (int a = 0; a < dimensions(g.mode); ++a) end[a] += g.offset(c, a) == 0;
  const Layout layout(g), stored(whole.grid());
  for (int k = 0; k < end[2]; ++k)
    for (int j = 0; j < end[1]; ++j)
      for (int i = 0; i < end[0]; ++i) {
        const Int3 cell{i + slab.shift[0], j + slab.shift[1], k + slab.shift[2]};
        const Stored s = whole.stored(c, cell);
        if (s.factor != 0.0) visit(layout.at(i, j, k), stored.at(s.cell), cell, s.cell);
      }
}

/// Of an edge along c that is reflected along axis a, the ends change places where c is a, and the parts of
/// the inverse permittivity that couple a with another axis change their sign.
TensorTerm image_of(const TensorTerm& term, Component c, index_t cell, const std::array<bool, 3>& reflected) {
  TensorTerm image = term;
  image.cell = cell;
  if (reflected[c])
    for (auto& ends : image.w) std::swap(ends[0], ends[1]);
  for (int o = 0; o < 2; ++o)
    if (reflected[c] != reflected[(c + 1 + o) % 3])
      for (double& w : image.w[o]) w = -w;
  return image;
}

void copy_materials(const Problem& p, const Whole& whole, UnfoldedSlab& slab, Component c) {
  slab.problem.uniform[c] = p.uniform[c];
  if (p.material[c].empty()) return;
  auto& material = slab.problem.material[c];
  material.assign(Layout(slab.problem.grid).size, 0);
  for_each_cell(slab, whole, c, [&](index_t to, index_t from, const Int3&, const Int3&) {
    material[to] = p.material[c][from];
  });
}

void copy_tensor(const Problem& p, const Whole& whole, UnfoldedSlab& slab, Component c) {
  if (p.tensor[c].empty()) return;
  std::unordered_map<index_t, const TensorTerm*> terms;
  for (const TensorTerm& t : p.tensor[c]) terms.emplace(t.cell, &t);
  for_each_cell(slab, whole, c, [&](index_t to, index_t from, const Int3& cell, const Int3& stored) {
    const auto found = terms.find(from);
    if (found == terms.end()) return;
    std::array<bool, 3> reflected{};
    for (int a = 0; a < 3; ++a) reflected[a] = whole.mirrored(a) && cell[a] != stored[a];
    slab.problem.tensor[c].push_back(image_of(*found->second, c, to, reflected));
  });
}

void copy_cut_edges(const Problem& p, const Whole& whole, UnfoldedSlab& slab, Component c) {
  const CutEdges& cut = p.cut_edges[c];
  if (cut.cells.empty()) return;
  for_each_cell(slab, whole, c, [&](index_t to, index_t from, const Int3&, const Int3&) {
    const auto at = std::lower_bound(cut.cells.begin(), cut.cells.end(), from);
    if (at == cut.cells.end() || *at != from) return;
    slab.problem.cut_edges[c].cells.push_back(to);
    slab.problem.cut_edges[c].free.push_back(cut.free[std::size_t(at - cut.cells.begin())]);
  });
}

void copy_poles(const Problem& p, const Whole& whole, UnfoldedSlab& slab) {
  for (const DispersiveGroup& group : p.dispersive) {
    DispersiveGroup image{group.component, {}, group.poles};
    for_each_cell(slab, whole, group.component, [&](index_t to, index_t from, const Int3&, const Int3&) {
      if (std::binary_search(group.cells.begin(), group.cells.end(), from)) image.cells.push_back(to);
    });
    if (!image.cells.empty()) slab.problem.dispersive.push_back(std::move(image));
  }
}

/// Throws BadInput where the slab reaches an edge of CutMedia, whose network is not copied.
void refuse_cut_media(const Problem& p, const Whole& whole, const UnfoldedSlab& slab, Component c) {
  if (p.cut_media.empty()) return;
  std::unordered_set<index_t> edges;
  for (const CutMedia::Half& h : p.cut_media.halves)
    if (h.component == c) edges.insert(h.cell);
  for_each_cell(slab, whole, c, [&](index_t, index_t from, const Int3&, const Int3&) {
    if (edges.contains(from))
      throw BadInput(
          "a mode's plane beside a symmetry plane crosses the surface of a dispersive or conducting "
          "body (its image is not built there); centre the plane on the symmetry plane, or leave the "
          "mirror out");
  });
}

}  // namespace

Int3 UnfoldedSlab::cell(index_t at) const {
  const Layout layout(problem.grid);
  const index_t from = at - layout.base, k = from / layout.plane,
                j = (from - k * layout.plane) / layout.pitch;
  const index_t i = from - k * layout.plane - j * layout.pitch;
  return {int(i) + shift[0], int(j) + shift[1], int(k) + shift[2]};
}

UnfoldedSlab unfolded_slab(const Problem& p, const Whole& whole, int axis, int node,
                           const std::array<bool, 3>& unfold) {
  UnfoldedSlab slab;
  Problem& q = slab.problem;
  q.grid = p.grid;
  q.walls = p.walls;
  q.pml = p.pml;
  q.coefficients = p.coefficients;
  for (int a = 0; a < dimensions(p.grid.mode); ++a) {
    if (a == axis) {
      slab.shift[a] = node - 1;
      q.grid.cells[a] = 3;
    } else if (unfold[a]) {
      slab.shift[a] = whole.first(a);
      q.grid.cells[a] = whole.last(a) - whole.first(a);
      for (int side = 0; side < 2; ++side) {
        q.walls[a][side] = whole.closure(a, side);
        if (side == whole.mirror_side(a)) q.pml[a][side] = p.pml[a][1 - side];
      }
    }
    q.grid.origin[a] = whole.place(a, slab.shift[a]);
    if (!p.grid.graded(a)) continue;
    q.grid.lines[a].clear();
    for (int i = 0; i <= q.grid.cells[a]; ++i) q.grid.lines[a].push_back(whole.place(a, slab.shift[a] + i));
  }
  for (int c = 0; c < components; ++c)
    if (has_component(p.grid.mode, c)) copy_materials(p, whole, slab, Component(c));
  for (int c = 0; c < 3; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    copy_tensor(p, whole, slab, Component(c));
    copy_cut_edges(p, whole, slab, Component(c));
    refuse_cut_media(p, whole, slab, Component(c));
  }
  copy_poles(p, whole, slab);
  return slab;
}

}  // namespace umov::fdtd
