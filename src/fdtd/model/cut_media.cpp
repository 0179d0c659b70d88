#include "fdtd/model/cut_media.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/interruption.hpp"
#include "fdtd/cut_turns.hpp"
#include "fdtd/model/update_coefficients.hpp"
#include "fdtd/model/validate_parts.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {
namespace {

using materials::Material;

using Place = std::pair<int, index_t>;  ///< component and cell

/// A half edge of a node before it has its numbers.
struct HalfEdge {
  int component = 0;
  index_t cell = 0;
  const Mixture* mixture = nullptr;
  double normal = 0;  ///< along the edge; 0 where the field may not jump
};

int list_at(const SurveyPlan& plan, int c, const Int3& edge) {
  return plan.scene.material_at(plan.grid.position(c, edge));
}

/// Whether a perfect conductor takes part of the cell around an edge.
bool beside_conductor(const SurveyPlan& plan, int c, const Int3& edge) {
  Vec3 lo = plan.grid.position(c, edge), hi = lo;
  for (int a = 0; a < dimensions(plan.grid.mode); ++a) {
    const double u = edge[a] + plan.grid.offset(c, a);
    lo[a] = plan.grid.place(a, u - 0.5), hi[a] = plan.grid.place(a, u + 0.5);
  }
  Mixture mixture;
  plan.scene.shares(lo, hi, mixture);
  return std::ranges::any_of(
      mixture, [&](const Share& s) { return plan.scene.materials()[s.material].perfect_conductor; });
}

class Network {
 public:
  Network(const Simulation& s, const SurveyPlan& plan, const Survey& found, Problem& problem)
      : simulation_(s),
        plan_(plan),
        grid_(plan.grid),
        layout_(plan.grid),
        list_(plan.scene.materials()),
        problem_(problem) {
    const double f = highest_carrier(s);
    for (const Material& m : list_)
      inverse_.push_back(f > 0 && !m.perfect_conductor ? (1.0 / m.permittivity(2 * pi * f)).real() : 0);
    for (int c = 0; c < 3; ++c)
      for (const CutEdge& e : found.cut[c])
        if (!on_electric_wall(c, e.at)) cut_[c].emplace(layout_.at(e.at), &e);
    problem_.cut_media = {};
  }

  void build() {
    take_coupled_edges();
    add_nodes();
    if (problem_.cut_media.halves.empty()) return;
    problem_.cut_media.nodes.push_back(
        {index_t(problem_.cut_media.halves.size()), index_t(problem_.cut_media.sites.size()), 0});
    add_edges();
  }

 private:
  CutMedia& out() { return problem_.cut_media; }

  // Nodes.

  void add_nodes() {
    std::set<std::array<int, 3>> nodes;  // z, y, x: in the order of memory
    for (int c = 0; c < 3; ++c)
      for (const auto& [cell, edge] : cut_[c]) {
        if (!grid_.active(c)) {
          begin_node();
          add_pieces({{c, cell, &edge->mixture, 0}}, 1);
          continue;
        }
        for (int end = 0; end < 2; ++end) {
          Int3 n = edge->at;
          n[c] += end;
          if (wraps(c) && n[c] == grid_.cells[c]) n[c] = 0;
          nodes.insert({n[2], n[1], n[0]});
        }
      }
    for (const auto& [z, y, x] : nodes) {
      stop_if_interrupted("while bodies were painted");
      add_node({x, y, z});
    }
  }

  bool wraps(int axis) const { return fdtd::wraps(simulation_.walls[axis][0]); }
  /// There E is zero, whatever touches it.
  bool on_electric_wall(int c, const Int3& at) const {
    for (int a = 0; a < dimensions(grid_.mode); ++a)
      if (a != c && at[a] == 0 && is_electric_wall(simulation_.walls[a][0])) return true;
    return false;
  }

  void begin_node() { out().nodes.push_back({index_t(out().halves.size()), index_t(out().sites.size()), 0}); }

  void add_node(const Int3& node) {
    Vec3 place = grid_.origin;
    for (int a = 0; a < dimensions(grid_.mode); ++a) place[a] = grid_.place(a, node[a]);
    const Vec3 normal = normal_at(node, place);
    std::vector<HalfEdge> pieces;
    for (int a = 0; a < dimensions(grid_.mode); ++a)
      for (int end = 0; end < 2; ++end) {
        Int3 edge = node;
        bool turned = false;
        if (end == 0 && --edge[a] < 0 && wraps(a)) {
          edge[a] = grid_.cells[a] - 1;
          // too few cells to tell on which side of the wall an edge is
          turned = turns(simulation_.walls[a][0]) && grid_.cells[a] < least_bloch_cells;
        }
        const auto found = cut_[a].find(layout_.at(edge));
        if (found != cut_[a].end())
          pieces.push_back({a, found->first, &found->second->mixture, turned ? 0 : normal[a]});
      }
    begin_node();
    add_pieces(pieces, 0.5);
  }

  /// The scene's normal without components that are rounding: a node of such halves alone would have next to
  /// no stiffness. On an even mirror plane the fields along its normal are opposite in the two halves, so
  /// their jumps cancel.
  Vec3 normal_at(const Int3& node, const Vec3& place) const {
    constexpr double rounding = 1e-6;
    for (int a = 0; a < dimensions(grid_.mode); ++a)  // halves of unequal lengths share no jump
      if (!grid_.even(a, node[a] - 1, node[a] + 1)) return {0, 0, 0};
    Vec3 n = plan_.scene.normal(place);
    for (int a = 0; a < dimensions(grid_.mode); ++a)
      if (std::fabs(n[a]) < rounding || (node[a] == 0 && is_even_mirror(simulation_.walls[a][0])) ||
          (node[a] == grid_.cells[a] && is_even_mirror(simulation_.walls[a][1])))
        n[a] = 0;
    return n;
  }

  /// Material of the body: of those with memory the one of the largest share.
  int body_of(const std::vector<HalfEdge>& pieces) const {
    std::map<int, double> sum;
    for (const HalfEdge& p : pieces)
      for (const Share& s : *p.mixture)
        if (has_memory(list_[s.material])) sum[s.material] += s.fraction;
    return std::ranges::max_element(sum, {}, [](const auto& entry) { return entry.second; })->first;
  }

  /// Of the materials of a node the one whose field jumps farthest from that in the body.
  int farthest_from(int body, const std::vector<HalfEdge>& pieces) const {
    int farthest = body;
    double most = -1;
    for (const HalfEdge& p : pieces)
      for (const Share& s : *p.mixture)
        if (const double way = std::fabs(inverse_[s.material] - inverse_[body]);
            s.material != body && way > most)
          farthest = s.material, most = way;
    return farthest;
  }

  /// Where a material's field is on the way of the jump: 1 in the body, 0 in what is farthest, and of others
  /// by 1 / eps at the carrier, since D across interfaces is one.
  double level(int material, int body, int farthest) const {
    if (material == body || material == farthest) return material == body ? 1 : 0;
    const double way = inverse_[body] - inverse_[farthest];
    return way == 0 ? 0 : (inverse_[material] - inverse_[farthest]) / way;
  }

  void add_pieces(const std::vector<HalfEdge>& pieces, double part) {
    const int body = body_of(pieces), farthest = farthest_from(body, pieces);
    const auto way = [&](int material) { return level(material, body, farthest); };
    double stiffness = 0;
    for (std::size_t h = 0; h < pieces.size(); ++h) stiffness += add_half(pieces[h], int(h), way, part);
    out().nodes.back().compliance = stiffness > 0 ? 1 / stiffness : 0;
  }

  /// Returns what it adds to the inverse of the compliance.
  template <class Level>
  double add_half(const HalfEdge& piece, int number, const Level& level, double part) {
    const int axis = piece.component;
    double mean = 0;
    for (const Share& s : *piece.mixture) mean += s.fraction * level(s.material);
    double first = 0, second = 0;
    for (const Share& s : *piece.mixture) {
      const Material& m = list_[s.material];
      const double jump = piece.normal * (level(s.material) - mean);
      const double eps = m.eps[axis] + permittivity_within_step(m, axis, grid_.dt);
      first += part * s.fraction * jump * eps;
      second += part * s.fraction * jump * jump * eps;
      if (has_memory(m)) out().sites.push_back({number, medium(s.material, axis), part * s.fraction, jump});
    }
    out().halves.push_back({Component(piece.component), piece.cell, first});
    return second;
  }

  int medium(int material, int axis) {
    const auto [entry, fresh] = media_.try_emplace({material, axis}, int(out().media.size()));
    if (fresh) out().media.push_back(memory_terms(list_[material], axis, grid_));
    return entry->second;
  }

  // Edges full of a dispersive material, of which the permittivity beside them makes a row of the tensor.

  void take_coupled_edges() {
    for (auto& group : problem_.dispersive) {
      std::vector<index_t> rows;
      for (const TensorTerm& t : problem_.tensor[group.component]) rows.push_back(t.cell);
      std::erase_if(group.cells, [&](index_t cell) {
        if (!std::binary_search(rows.begin(), rows.end(), cell)) return false;
        begin_node();
        out().media.push_back(group.poles);
        out().sites.push_back({0, int(out().media.size()) - 1, 1, 0});
        out().halves.push_back({group.component, cell, 0});
        return true;
      });
    }
  }

  // What the halves' polarization does to edges.

  void add_edges() {
    std::map<Place, std::vector<CutMedia::Tap>> rows;
    std::map<Place, std::vector<index_t>> halves;
    for (std::size_t h = 0; h < out().halves.size(); ++h)
      halves[{out().halves[h].component, out().halves[h].cell}].push_back(index_t(h));
    const auto add = [&](const Place& row, const Place& from, double inverse) {
      const auto found = halves.find(from);
      if (found == halves.end()) return;
      for (const index_t h : found->second) rows[row].push_back({h, inverse});
    };
    for (const auto& [place, own] : halves) add(place, place, inverse_at(place));
    for (int c = 0; c < 3; ++c)
      for (const TensorTerm& t : problem_.tensor[c])
        for (int other = 0; other < 2; ++other)
          for (int end = 0; end < 2; ++end)
            for (const Place& from : beside(c, t.cell, other, end))
              add({c, t.cell}, from, t.w[other][end] * grid_.dx / grid_.dt);
    for (const auto& [place, taps] : rows) {
      out().edges.push_back({Component(place.first), place.second, index_t(out().taps.size())});
      out().taps.insert(out().taps.end(), taps.begin(), taps.end());
    }
    out().edges.push_back({Ex, 0, index_t(out().taps.size())});
  }

  /// 1/eps of the update: 1/eps for constants, with conductivity and Debye terms what `drive` has.
  double inverse_at(const Place& place) const {
    const auto& ids = problem_.material[place.first];
    const auto id = ids.empty() ? problem_.uniform[place.first] : ids[place.second];
    return problem_.coefficients[id].drive * grid_.dx / grid_.dt;
  }

  /// The two edges along axis (c + 1 + other) % 3 that meet in an end of an edge.
  std::vector<Place> beside(int c, index_t cell, int other, int end) const {
    const int p = (c + 1 + other) % 3;
    if (!has_component(grid_.mode, p)) return {};
    Int3 node = cell_of(grid_, cell);
    node[c] += end;
    if (wraps(c) && node[c] == grid_.cells[c]) node[c] = 0;
    Int3 below = node;
    if (--below[p] < 0 && wraps(p)) below[p] = grid_.cells[p] - 1;
    return {{p, layout_.at(node)}, {p, layout_.at(below)}};
  }

  const Simulation& simulation_;
  const SurveyPlan& plan_;
  const Grid& grid_;
  Layout layout_;
  const std::vector<Material>& list_;
  std::vector<double> inverse_;  ///< Re 1 / eps at the carrier
  Problem& problem_;
  std::array<std::map<index_t, const CutEdge*>, 3> cut_;
  std::map<std::pair<int, int>, int> media_;
};

}  // namespace

void complete_stars(const Simulation& s, const SurveyPlan& plan, Survey& found) {
  const Grid& g = plan.grid;
  const Layout layout(g);
  const auto& list = plan.scene.materials();
  std::set<Place> known;
  for (int c = 0; c < 3; ++c)
    for (const auto& p : found.mixed[c]) known.insert({c, p.cell});
  for (const NodeTensor& n : found.nodes) {
    if (!n.has_memory) continue;
    stop_if_interrupted("while bodies were painted");
    for (int a = 0; a < dimensions(g.mode); ++a)
      for (int end = 0; end < 2; ++end) {
        Int3 edge = n.node;
        edge[a] -= end;
        if (edge[a] < 0 && wraps(s.walls[a][0])) edge[a] = g.cells[a] - 1;
        if (edge[a] < 0 || edge[a] >= g.cells[a]) continue;  // behind a mirror plane
        const int material = list_at(plan, a, edge);
        if (beside_conductor(plan, a, edge)) continue;
        const Material& m = list[material];
        if (m.sigma[a] == 0 || m.perfect_conductor || quick(m, g.dt) ||
            !known.insert({a, layout.at(edge)}).second)
          continue;
        const double eps = m.eps[a] + permittivity_within_step(m, a, g.dt);
        found.mixed[a].push_back({layout.at(edge), {1 / eps, 0}});
        found.cut[a].push_back({edge, {{material, 1}}});
        auto& group = found.dispersive[{a, material}];
        std::erase(group, layout.at(edge));
      }
  }
}

void add_cut_media(const Simulation& s, const SurveyPlan& plan, const Survey& found, Problem& problem) {
  Network(s, plan, found, problem).build();
}

}  // namespace umov::fdtd
