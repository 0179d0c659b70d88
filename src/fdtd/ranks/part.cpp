#include "fdtd/ranks/part.hpp"

#include <algorithm>

#include "fdtd/ranks/cutter.hpp"
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

}  // namespace

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
        for (int k = -1; k <= planes_.count(); ++k)
          fill(rows_.begin(g, k), own_.begin(l, k), rows_.size(), l);
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

namespace {

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
  if (p.grid.graded(axis)) {
    auto& lines = part.grid.lines[axis];
    lines = {p.grid.place(axis, s.plane.front())};
    for (const int plane : s.plane)  // nodes of the problem as they are, so that all parts have the same bits
      lines.push_back(s.periodic ? lines.back() + p.grid.edge(axis, std::max(plane, 0))
                                 : p.grid.place(axis, plane + 1));
    part.grid.origin[axis] = lines.front();
    part.grid.wraps[axis] = false;
  }
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
