#include "fdtd/ranks/row_runs.hpp"

#include <algorithm>

#include "fdtd/planes.hpp"
#include "fdtd/ranges.hpp"

namespace umov::fdtd::ranks {

namespace {

constexpr int layers_key = 10, groups_key = 100, node_state_key = 1 << 30, node_flow_key = node_state_key + 1;

RowArray field_array(const Grid& grid, int c) {
  const Rows rows(grid);
  const int j = rows.first();
  return {c,
          index_t(Layout(grid).size),
          {j, rows.last() - j, -1, rows.planes() + 2, rows.begin(j, -1),
           rows.axis() < 0 ? 0 : rows.begin(j + 1, -1) - rows.begin(j, -1),
           rows.begin(j, 0) - rows.begin(j, -1), rows.size()},
          {}};
}

/// See slab_of in ranges.cpp for how psi is laid out.
RowArray layer_array(const Problem& p, const PmlSlab& s) {
  const Rows rows(p.grid);
  const int axis = dimensions(p.grid.mode) - 1;
  RowArray a{layers_key + (s.axis * 2 + s.side) * components + s.component, index_t(s.size), {}, {}};
  a.box.plane_stride = axis == 0 ? 1 : axis == 1 ? s.pitch : s.plane;
  a.box.row_stride = s.pitch;
  a.box.length = rows.axis() < 0 ? a.box.plane_stride : s.pitch;
  a.box.rows = rows.axis() < 0 ? 1 : rows.count() + 1;
  a.box.planes = rows.planes() + 1;
  if (s.axis == axis) {
    a.box.first_plane = s.first;
    a.box.planes = s.layers;
    a.box.begin = s.offset + a.box.plane_stride * s.first;
  } else if (s.axis == rows.axis()) {
    a.box.first_row = s.first;
    a.box.rows = s.layers;
    a.box.begin = s.offset + a.box.row_stride * s.first;
  }
  return a;
}

/// Lists with no entries yet, for counting: lists_spot(...) + 1 of `first` counts those of a row.
RowArray::Lists lists_over(const Rows& rows) {
  RowArray::Lists l{rows.first(), rows.last() - rows.first(), rows.planes() + 2, {}, {}, 0, 0};
  l.first.resize(std::size_t(l.rows) * std::size_t(l.planes) + 1);
  return l;
}
std::size_t spot_of(const RowArray::Lists& l, const Rows& rows, index_t cell) {
  const auto [row, plane] = rows.of(cell);
  return std::size_t(l.rows) * std::size_t(plane + 1) + std::size_t(row - l.first_row);
}
void count_up(RowArray::Lists& l) {
  for (std::size_t i = 1; i < l.first.size(); ++i) l.first[i] += l.first[i - 1];
}

/// State [pole][2][edge].
RowArray group_array(const Rows& rows, const DispersiveGroup& g, int key) {
  const index_t edges = index_t(g.cells.size()), copies = 2 * index_t(g.poles.size());
  RowArray a{key, copies * edges, {}, lists_over(rows)};
  a.lists.copies = copies;
  a.lists.stride = edges;
  for (const index_t cell : g.cells) ++a.lists.first[spot_of(a.lists, rows, cell) + 1];
  count_up(a.lists);
  return a;
}

/// A node's row is that of its first half.
void add_node_arrays(const Problem& p, const Rows& rows, std::vector<RowArray>& all) {
  const CutMedia& m = p.cut_media;
  if (m.empty()) return;
  RowArray state{node_state_key, 0, {}, lists_over(rows)},
      flow{node_flow_key, index_t(m.halves.size()), {}, lists_over(rows)};
  std::vector<std::size_t> spot;
  for (index_t n = 0; n < m.node_count(); ++n) {
    spot.push_back(spot_of(flow.lists, rows, m.halves[m.nodes[n].first_half].cell));
    ++flow.lists.first[spot.back() + 1];
  }
  count_up(flow.lists);
  state.lists.first = flow.lists.first;
  std::vector<index_t> next = flow.lists.first;
  state.lists.runs.resize(spot.size());
  flow.lists.runs.resize(spot.size());
  for (index_t n = 0; n < m.node_count(); ++n) {
    index_t states = 0;
    for (index_t s = m.nodes[n].first_site; s < m.nodes[n + 1].first_site; ++s)
      states += 2 * index_t(m.media[m.sites[s].medium].size());
    const auto at = std::size_t(next[spot[std::size_t(n)]]++);
    state.lists.runs[at] = {state.size, states};
    state.size += states;
    flow.lists.runs[at] = {m.nodes[n].first_half, m.nodes[n + 1].first_half - m.nodes[n].first_half};
  }
  all.push_back(std::move(state));
  all.push_back(std::move(flow));
}

}  // namespace

bool of_frame(int key) { return key >= 0 && key < groups_key; }

std::vector<RowArray> row_arrays(const Problem& p) {
  const Rows rows(p.grid);
  std::vector<RowArray> all;
  for (int c = 0; c < components; ++c)
    if (has_component(p.grid.mode, c)) all.push_back(field_array(p.grid, c));
  for (const Field f : {Field::E, Field::H})
    for (const PmlSlab& s : pml_slabs(p, f))
      if (s.size > 0) all.push_back(layer_array(p, s));
  for (std::size_t g = 0; g < p.dispersive.size(); ++g) {
    const DispersiveGroup& group = p.dispersive[g];
    if (group.cells.empty() || group.poles.empty() || !has_component(p.grid.mode, group.component)) continue;
    all.push_back(group_array(rows, group, groups_key + int(g)));
  }
  add_node_arrays(p, rows, all);
  return all;
}

}  // namespace umov::fdtd::ranks
