// Surfaces of dispersive bodies, whose nodes, halves and edges reach over a part's ends.
#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "fdtd/ranks/cutter.hpp"

namespace umov::fdtd::ranks {

/// Every copy of a node, by the plane of its first half; at the ends of the part its other halves may be
/// wrong ones, as its state then is. Edges whose nodes are not all here get nothing: they are wrong by then.
void Cutter::cut_media(Problem& part) const {
  const CutMedia& m = problem_.cut_media;
  if (m.empty()) return;
  if (slab_.periodic && slab_.cells < 5)
    throw BadInput(
        "surfaces of dispersive bodies repeat with fewer than five planes of cells (several ranks cannot "
        "tell "
        "which neighbour is meant); compute this case on one rank, or make the domain five cells long");
  // Planes of a node, its halves and the edges that it acts on lie within two of each other: within half of a
  // periodic axis the shorter way round is meant.
  const auto step = [&](int from, int to) {
    const int by = to - from;
    if (!slab_.periodic || std::abs(by) <= slab_.cells / 2) return by;
    return by > 0 ? by - slab_.cells : by + slab_.cells;
  };
  CutMedia& own = part.cut_media;
  own.media = m.media;
  std::map<int, std::vector<index_t>> by_plane;
  for (index_t n = 0; n < m.node_count(); ++n)
    by_plane[plane(m.halves[m.nodes[n].first_half].cell)].push_back(n);
  std::map<std::pair<index_t, int>, index_t>
      half_at;  ///< [half, plane of its node's copy] -> half of the part
  for (int l = -1; l <= slab_.count(); ++l) {
    const auto found = by_plane.find(slab_.at(l));
    if (slab_.at(l) == Slab::ghost || found == by_plane.end()) continue;
    for (const index_t n : found->second) {
      own.nodes.push_back({index_t(own.halves.size()), index_t(own.sites.size()), m.nodes[n].compliance});
      for (index_t h = m.nodes[n].first_half; h < m.nodes[n + 1].first_half; ++h) {
        const int g = plane(m.halves[h].cell), by = step(slab_.at(l), g);
        half_at[{h, l}] = index_t(own.halves.size());
        own.halves.push_back(m.halves[h]);
        own.halves.back().cell = moved(m.halves[h].cell, slab_.beside(l, by));
      }
      own.sites.insert(own.sites.end(), m.sites.begin() + m.nodes[n].first_site,
                       m.sites.begin() + m.nodes[n + 1].first_site);
    }
  }
  own.nodes.push_back({index_t(own.halves.size()), index_t(own.sites.size()), 0});

  // which node a half belongs to, and that node's plane
  std::vector<int> node_plane(m.halves.size());
  for (index_t n = 0; n < m.node_count(); ++n)
    for (index_t h = m.nodes[n].first_half; h < m.nodes[n + 1].first_half; ++h)
      node_plane[std::size_t(h)] = plane(m.halves[m.nodes[n].first_half].cell);
  struct Copy {
    Component component;
    index_t cell, edge;
    int place;
  };
  std::vector<Copy> copies;
  for (index_t e = 0; e < m.edge_count(); ++e)
    for (const int place : places(plane(m.edges[e].cell)))
      copies.push_back({m.edges[e].component, moved(m.edges[e].cell, place), e, place});
  std::stable_sort(copies.begin(), copies.end(), [](const Copy& a, const Copy& b) {
    return std::pair(int(a.component), a.cell) < std::pair(int(b.component), b.cell);
  });
  for (const Copy& copy : copies) {
    std::vector<CutMedia::Tap> taps;
    const index_t first = m.edges[copy.edge].first_tap, last = m.edges[copy.edge + 1].first_tap;
    for (index_t t = first; t < last; ++t) {
      const index_t h = m.taps[t].half;
      const int by = step(plane(m.edges[copy.edge].cell), node_plane[std::size_t(h)]);
      const int l = slab_.beside(copy.place, by);
      const auto at = half_at.find({h, l});
      if (at != half_at.end() && slab_.at(l) == node_plane[std::size_t(h)])
        taps.push_back({at->second, m.taps[t].weight});
    }
    if (index_t(taps.size()) < last - first) {
      if (slab_.own(copy.place)) throw Error(Exit::bug, "a part lacks nodes of its own edges");
      continue;
    }
    own.edges.push_back({copy.component, copy.cell, index_t(own.taps.size())});
    own.taps.insert(own.taps.end(), taps.begin(), taps.end());
  }
  own.edges.push_back({Ex, 0, index_t(own.taps.size())});
  if (own.halves.empty()) own = {};
}

}  // namespace umov::fdtd::ranks
