#include "fdtd/ranks/plane_runs.hpp"

#include <algorithm>

#include "fdtd/planes.hpp"
#include "fdtd/ranges.hpp"

namespace umov::fdtd::ranks {

namespace {

constexpr int layers_key = 10, groups_key = 100, node_state_key = 1 << 30, node_flow_key = node_state_key + 1;

PlaneArray field_array(const Planes& planes, const Layout& layout, int c) {
  PlaneArray a{c, index_t(layout.size), -1, {}};
  for (int k = -1; k <= planes.count(); ++k) a.runs.push_back({{planes.begin(k), planes.size()}});
  return a;
}

/// See slab_of in ranges.cpp for how psi is laid out.
PlaneArray layer_array(const Problem& p, const Planes& planes, const PmlSlab& s) {
  PlaneArray a{layers_key + (s.axis * 2 + s.side) * components + s.component, index_t(s.size), 0, {}};
  const index_t stride = planes.axis() == 0 ? 1 : planes.axis() == 1 ? s.pitch : s.plane;
  const bool across = s.axis == planes.axis();
  a.first_plane = across ? s.first : 0;
  const index_t begin = across ? s.offset + stride * s.first : 0;
  const int count = across ? s.layers : p.grid.cells[planes.axis()] + 1;
  for (int k = 0; k < count; ++k) a.runs.push_back({{begin + stride * k, stride}});
  return a;
}

/// State [pole][2][edge].
PlaneArray group_array(const Planes& planes, const DispersiveGroup& g, int key) {
  const index_t edges = index_t(g.cells.size()), rows = 2 * index_t(g.poles.size());
  PlaneArray a{key, rows * edges, -1, {}};
  for (int k = -1; k <= planes.count(); ++k) {
    const auto place = [&](int plane) {
      return index_t(std::ranges::lower_bound(g.cells, planes.begin(plane)) - g.cells.begin());
    };
    const index_t from = place(k), to = place(k + 1);
    a.runs.emplace_back();
    if (from < to)
      for (index_t row = 0; row < rows; ++row) a.runs.back().push_back({row * edges + from, to - from});
  }
  return a;
}

/// A node's plane is that of its first half.
void add_node_arrays(const Problem& p, const Planes& planes, std::vector<PlaneArray>& all) {
  const CutMedia& m = p.cut_media;
  if (m.empty()) return;
  PlaneArray state{node_state_key, 0, -1, {}}, flow{node_flow_key, index_t(m.halves.size()), -1, {}};
  state.runs.resize(std::size_t(planes.count()) + 2);
  flow.runs.resize(state.runs.size());
  for (index_t n = 0; n < m.node_count(); ++n) {
    const auto plane = std::size_t(planes.of(m.halves[m.nodes[n].first_half].cell) + 1);
    index_t states = 0;
    for (index_t s = m.nodes[n].first_site; s < m.nodes[n + 1].first_site; ++s)
      states += 2 * index_t(m.media[m.sites[s].medium].size());
    state.runs[plane].push_back({state.size, states});
    state.size += states;
    flow.runs[plane].push_back({m.nodes[n].first_half, m.nodes[n + 1].first_half - m.nodes[n].first_half});
  }
  all.push_back(std::move(state));
  all.push_back(std::move(flow));
}

}  // namespace

bool of_frame(int key) { return key >= 0 && key < groups_key; }

std::vector<PlaneArray> plane_arrays(const Problem& p) {
  const Planes planes(p.grid);
  const Layout layout(p.grid);
  std::vector<PlaneArray> all;
  for (int c = 0; c < components; ++c)
    if (has_component(p.grid.mode, c)) all.push_back(field_array(planes, layout, c));
  for (const Field f : {Field::E, Field::H})
    for (const PmlSlab& s : pml_slabs(p, f)) all.push_back(layer_array(p, planes, s));
  for (std::size_t g = 0; g < p.dispersive.size(); ++g) {
    const DispersiveGroup& group = p.dispersive[g];
    if (group.cells.empty() || group.poles.empty() || !has_component(p.grid.mode, group.component)) continue;
    all.push_back(group_array(planes, group, groups_key + int(g)));
  }
  add_node_arrays(p, planes, all);
  return all;
}

}  // namespace umov::fdtd::ranks
