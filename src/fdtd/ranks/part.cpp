#include "fdtd/ranks/part.hpp"

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "fdtd/recorder_list.hpp"

namespace umov::fdtd::ranks {

namespace {

/// The first `dropped` layers from the outer end belong to other ranks; at most `most` of the rest.
PmlSide layers_of(const PmlSide& side, int dropped, int most) {
  PmlSide own;
  own.layers = std::clamp(side.layers - dropped, 0, most);
  const auto cut = [&](const PmlSide::Terms& t) {
    const auto part = [&](const std::vector<double>& v) {
      if (own.layers == 0) return std::vector<double>();
      return std::vector<double>(v.begin() + dropped, v.begin() + dropped + own.layers);
    };
    return PmlSide::Terms{part(t.kappa_inverse), part(t.b), part(t.c)};
  };
  own.node = cut(side.node);
  own.half = cut(side.half);
  return own;
}

/// Translates lists of cells.
class Cutter {
 public:
  Cutter(const Problem& p, const Slab& s, const Grid& part)
      : problem_(p),
        slab_(s),
        planes_(p.grid),
        rows_(p.grid),
        own_(part),
        by_rows_(s.axis == rows_.axis()),
        places_(s.cells + 2) {
    for (int g = -1; g <= s.cells; ++g) places_[std::size_t(g + 1)] = s.places_of(g);
  }
  /// Across the axis that is cut.
  int plane(index_t cell) const {
    const auto [row, plane] = rows_.of(cell);
    return by_rows_ ? row : plane;
  }
  const std::vector<int>& places(int plane) const { return places_[std::size_t(plane + 1)]; }
  index_t moved(index_t cell, int place) const {
    const auto [row, plane] = rows_.of(cell);
    return cell - rows_.begin(row, plane) +
           (by_rows_ ? own_.begin(place, plane) : own_.begin(row, place));
  }

  /// Calls f(index in the list, cell of the part) for all copies of all cells.
  template <class Cell, class F>
  void each(std::size_t n, const Cell& cell, const F& f) const {
    for (std::size_t i = 0; i < n; ++i)
      for (const int place : places(plane(cell(i)))) f(i, moved(cell(i), place));
  }
  /// The same, by increasing cells, of a list that is increasing.
  template <class F>
  void each_sorted(const std::vector<index_t>& cells, const F& f) const {
    const auto of_stretch = [&](auto from, auto to, index_t begin, index_t size, int place) {
      from = std::lower_bound(from, to, begin);
      to = std::lower_bound(from, to, begin + size);
      for (auto at = from; at != to; ++at) f(std::size_t(at - cells.begin()), moved(*at, place));
    };
    if (!by_rows_) return each_place([&](int l, int g) {
      of_stretch(cells.begin(), cells.end(), planes_.begin(g), planes_.size(), l);
    });
    for (int k = -1; k <= planes_.count(); ++k) {
      const auto from = std::lower_bound(cells.begin(), cells.end(), planes_.begin(k)),
                 to = std::lower_bound(from, cells.end(), planes_.begin(k) + planes_.size());
      if (from != to)
        each_place([&](int l, int g) { of_stretch(from, to, rows_.begin(g, k), rows_.size(), l); });
    }
  }
  /// Calls f(place, plane of the problem) for all planes of the part that are some of the problem.
  template <class F>
  void each_place(const F& f) const {
    for (int l = -1; l <= slab_.count(); ++l)
      if (const int g = slab_.at(l); g != Slab::ghost) f(l, g);
  }

  void media(Problem& part) const;
  void tensor(Problem& part) const;
  void dispersive(Problem& part) const;
  void cut_media(Problem& part) const;
  void sources(Problem& part) const;
  void recorders(Problem& part) const;
  void fouriers(Problem& part) const;

 private:
  const Problem& problem_;
  const Slab& slab_;
  Planes planes_;
  Rows rows_, own_;                       ///< of the problem, of the part
  bool by_rows_;                          ///< cut across them
  std::vector<std::vector<int>> places_;  ///< [plane + 1]
};

/// Planes of ghosts at a seam hold what they are given: their medium neither decays nor is driven.
void Cutter::media(Problem& part) const {
  part.coefficients = problem_.coefficients;
  part.uniform = problem_.uniform;
  if (!slab_.seams.empty()) part.coefficients.push_back({1, 0});
  const auto still = std::uint16_t(part.coefficients.size() - 1);
  for (int c = 0; c < components; ++c) {
    const auto& ids = problem_.material[c];
    if (!has_component(problem_.grid.mode, c) || (ids.empty() && slab_.seams.empty())) continue;
    auto& to = part.material[c];
    to.assign(Layout(part.grid).size, problem_.uniform[c]);
    const auto fill = [&](index_t from, index_t at, index_t n, int l) {
      if (slab_.at(l) != Slab::ghost && !ids.empty())
        std::copy_n(ids.begin() + from, n, to.begin() + at);
      else if (slab_.at(l) == Slab::ghost && l >= 0 && l < slab_.count())
        std::fill_n(to.begin() + at, n, still);
    };
    for (int l = -1; l <= slab_.count(); ++l) {
      const int g = std::max(slab_.at(l), -1);
      if (!by_rows_)
        fill(planes_.begin(g), Planes(part.grid).begin(l), planes_.size(), l);
      else
        for (int k = -1; k <= planes_.count(); ++k) fill(rows_.begin(g, k), own_.begin(l, k), rows_.size(), l);
    }
  }
}

void Cutter::tensor(Problem& part) const {
  for (int c = Ex; c <= Ez; ++c) {
    const auto& from = problem_.tensor[c];
    each(
        from.size(), [&](auto i) { return from[i].cell; },
        [&](auto i, index_t cell) {
          part.tensor[c].push_back(from[i]);
          part.tensor[c].back().cell = cell;
        });
    each_sorted(problem_.cut_edges[c].cells, [&](auto i, index_t cell) {
      part.cut_edges[c].cells.push_back(cell);
      part.cut_edges[c].free.push_back(problem_.cut_edges[c].free[i]);
    });
  }
}

void Cutter::dispersive(Problem& part) const {
  for (const DispersiveGroup& g : problem_.dispersive) {
    part.dispersive.push_back({g.component, {}, g.poles});
    each_sorted(g.cells, [&](auto, index_t cell) { part.dispersive.back().cells.push_back(cell); });
  }
}

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

void Cutter::sources(Problem& part) const {
  part.tables = problem_.tables;
  for (const SourceGroup& g : problem_.sources) {
    SourceGroup own = g;
    own.cells.clear(), own.columns.clear(), own.weights.clear(), own.weights_imag.clear();
    each(
        g.cells.size(), [&](auto i) { return g.cells[i]; },
        [&](auto i, index_t cell) {
          own.cells.push_back(cell);
          own.columns.push_back(g.columns[i]);
          const auto taps = [&](const std::vector<double>& from, std::vector<double>& to) {
            if (!from.empty())
              to.insert(to.end(), from.begin() + std::ptrdiff_t(i) * g.taps,
                        from.begin() + std::ptrdiff_t(i + 1) * g.taps);
          };
          taps(g.weights, own.weights);
          taps(g.weights_imag, own.weights_imag);
        });
    part.sources.push_back(std::move(own));
  }
}

void Cutter::recorders(Problem& part) const {
  for (const Recorder& r : problem_.recorders) {
    Recorder own{r.component, r.interval, {}, {}, {0}, r.squares};
    const auto take = [&](index_t q, index_t end) {
      const int g = plane(r.cells[std::size_t(q)]);
      if (!counts(slab_, g)) return;
      for (index_t i = q; i < end; ++i) {
        own.cells.push_back(moved(r.cells[std::size_t(i)], own_place(slab_, g)));
        own.weights.push_back(r.weights[std::size_t(i)]);
      }
      own.first.push_back(index_t(own.cells.size()));
    };
    for (index_t ch = 0; ch < r.channels(); ++ch)
      for (index_t q = r.first[ch], end; q < r.first[ch + 1]; q = end) {
        end = piece_end(r, planes_, q, r.first[ch + 1]);
        if (!by_rows_) take(q, end);
        for (index_t row = q, last; by_rows_ && row < end; row = last)
          take(row, last = row_end(r, rows_, row, end));
      }
    part.recorders.push_back(std::move(own));
  }
}

void Cutter::fouriers(Problem& part) const {
  for (const FourierAccumulator& a : problem_.fouriers) {
    FourierAccumulator own{a.component, a.interval, {}, a.frequencies};
    for (const index_t cell : a.cells)
      if (const int g = plane(cell); counts(slab_, g)) own.cells.push_back(moved(cell, own_place(slab_, g)));
    part.fouriers.push_back(std::move(own));
  }
}

/// Across one axis.
Problem frame_of(const Problem& p, const Slab& s) {
  const int axis = s.axis;
  Problem part;
  part.part = true;
  part.seams = p.seams;
  part.seams.insert(part.seams.end(), s.seams.begin(), s.seams.end());
  part.grid = p.grid;
  part.grid.cells[axis] = s.count();
  part.grid.origin[axis] += p.grid.dx * s.plane.front();
  part.precision = p.precision;
  part.complex_fields = p.complex_fields;
  part.walls = p.walls;
  part.bloch_phase = p.bloch_phase;
  part.bloch_phase[axis] = 0;
  part.pml = p.pml;
  if (!s.at_low_wall()) part.walls[axis][0] = Closure::pec;
  if (!s.at_high_wall()) part.walls[axis][1] = Closure::pec;
  if (s.periodic) return part;
  part.pml[axis][0] = layers_of(p.pml[axis][0], s.plane.front(), s.count());
  part.pml[axis][1] = layers_of(p.pml[axis][1], s.cells - 1 - s.plane.back(), s.count());
  return part;
}

Problem cut_across(const Problem& p, const Slab& s) {
  Problem part = frame_of(p, s);
  const Cutter cutter(p, s, part.grid);
  cutter.media(part);
  cutter.tensor(part);
  cutter.dispersive(part);
  cutter.cut_media(part);
  cutter.sources(part);
  cutter.recorders(part);
  cutter.fouriers(part);
  return part;
}

}  // namespace

Problem part_frame(const Problem& p, const Block& b) {
  if (!b.rows.cut) return frame_of(p, b.planes);
  const Problem part = frame_of(p, b.rows);
  return b.planes.cut ? frame_of(part, b.planes) : part;
}

Problem make_part(const Problem& p, const Block& b) {
  if (!b.rows.cut) return cut_across(p, b.planes);
  Problem part = cut_across(p, b.rows);
  return b.planes.cut ? cut_across(part, b.planes) : part;
}

}  // namespace umov::fdtd::ranks
