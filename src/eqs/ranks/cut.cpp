// Shares of ranks: owners of unknowns, elements around them, numbers there and back.
#include "eqs/ranks/cut.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <future>
#include <memory>
#include <utility>

#include "core/large_memory.hpp"
#include "eqs/kernels/element.hpp"
#include "eqs/model/nested.hpp"
#include "eqs/model/pattern.hpp"
#include "eqs/ranks/first_met.hpp"
#include "eqs/ranks/share_bytes.hpp"
#include "eqs/solve/solver_choice.hpp"

namespace umov::eqs {

namespace {

/// Calls f(unknown) for every function of an element, with the bases of bodies and without (without_bodies);
/// fixed ones are left out.
template <class F>
void each_unknown(const Problem& p, int element, const F& f) {
  for (int k = 0; k < (p.order == 1 ? 4 : 10); ++k) {
    const NodeFunctions both = functions(p, element, k);
    for (const int n : {both.first, both.second, p.unknown[std::size_t(p.node(element, k))]})
      if (n >= 0) f(n);
  }
}

/// [rank][stretch][...] (first_met.hpp).
std::vector<std::vector<std::vector<int>>> lists_of(int ranks) {
  return std::vector(std::size_t(ranks), std::vector<std::vector<int>>(stretches()));
}

/// Of second order from first: vertices are themselves, an edge is half of each of its parents.
sparse::HostCsr order_prolongation(const Problem& p) {
  int per_edge = 2;
  const auto parents = edge_parents(p, per_edge);
  sparse::HostCsr out;
  out.rows = p.unknowns, out.columns = p.vertex_unknowns;
  out.start.assign(std::size_t(p.unknowns) + 1, 0);
  const std::size_t vertices = std::size_t(p.vertex_unknowns), each = std::size_t(per_edge);
  // those of the edges, ascending, each with its part; how many
  const auto parts_of = [&](std::size_t edge, std::vector<std::pair<int, double>>& list) {
    list.clear();
    for (std::size_t k = 0; k < each; ++k)
      if (const int n = parents[each * edge + k]; n >= 0) list.emplace_back(n, 0.5);
    std::sort(list.begin(), list.end());
    std::size_t kept = 0;
    for (std::size_t k = 0; k < list.size(); ++k)
      if (kept > 0 && list[kept - 1].first == list[k].first)
        list[kept - 1].second += list[k].second;
      else
        list[kept++] = list[k];
    list.resize(kept);
  };
  const std::size_t edges = std::size_t(p.unknowns) - vertices;
#pragma omp parallel
  {
    std::vector<std::pair<int, double>> list;
#pragma omp for schedule(static)
    for (std::size_t e = 0; e < edges; ++e) {
      parts_of(e, list);
      out.start[vertices + e + 1] = int(list.size());
    }
  }
  for (std::size_t i = 0; i < vertices; ++i) out.start[i + 1] = 1;
  for (std::size_t i = 0; i < std::size_t(p.unknowns); ++i) out.start[i + 1] += out.start[i];
  resize_large(out.column, std::size_t(out.start.back()));
  resize_large(out.value, out.column.size());
#pragma omp parallel
  {
    std::vector<std::pair<int, double>> list;
#pragma omp for schedule(static) nowait
    for (std::size_t i = 0; i < vertices; ++i) out.column[i] = int(i), out.value[i] = 1;
#pragma omp for schedule(static)
    for (std::size_t e = 0; e < edges; ++e) {
      parts_of(e, list);
      std::size_t to = std::size_t(out.start[vertices + e]);
      for (const auto& [n, part] : list) out.column[to] = n, out.value[to] = part, ++to;
    }
  }
  return out;
}

/// Coarse unknowns go with the fine unknown that lies where they do, or the first that has a part of them.
std::vector<int> coarse_owners(const sparse::HostCsr& p, const std::vector<int>& fine) {
  std::vector<int> alone(std::size_t(p.columns), met_by_none), any = alone;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < p.rows; ++i)
    for (int k = p.start[i]; k < p.start[i + 1]; ++k) {
      lower_to(any[std::size_t(p.column[k])], i);
      if (p.start[i + 1] - p.start[i] == 1) lower_to(alone[std::size_t(p.column[k])], i);
    }
  std::vector<int> out(alone.size(), 0);
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < out.size(); ++c)
    if (const int row = alone[c] < met_by_none ? alone[c] : any[c]; row < met_by_none)
      out[c] = fine[std::size_t(row)];
  return out;
}

}  // namespace

Cut::Cut(const Problem& whole, std::vector<int> rank_of_element, int ranks)
    : whole_(whole), ranks_(ranks), rank_of_element_(std::move(rank_of_element)) {
  const std::size_t size = std::size_t(ranks);
  own_unknowns_.resize(size), own_elements_.resize(size), own_nodes_.resize(size),
      more_elements_.resize(size);
  find_owners();
  deal_out();
  auto map = std::make_shared<WholeMap>();
  map->unknowns = std::size_t(whole.unknowns), map->nodes = std::size_t(whole.nodes);
  map->elements = whole.mesh.tets.size();
  const auto append = [&](const std::vector<std::vector<int>>& lists, std::vector<int>& all,
                          std::vector<std::size_t>& counts) {
    for (const auto& list : lists) counts.push_back(list.size());
    all = joined(lists);
  };
  append(own_unknowns_, map->unknown, map->unknown_count);
  append(own_nodes_, map->node, map->node_count);
  append(own_elements_, map->element, map->element_count);
  map_ = std::move(map);
  if (whole.order == 2 && preconditioner_of(whole) == "p-multigrid")
    nested_.push_back(order_prolongation(whole));
  if (whole.order == 1 || !nested_.empty())
    if (const auto nested = nested_prolongations(whole))
      nested_.insert(nested_.end(), nested->begin(), nested->end());
  for (const auto& level : nested_)
    level_owner_.push_back(coarse_owners(level, level_owner_.empty() ? owner_ : level_owner_.back()));
}

/// Elements and nodes of ranks: a node goes with the first element that has it.
void Cut::deal_out() {
  const std::size_t size = std::size_t(ranks_), elements = whole_.mesh.tets.size();
  const auto nodes_of = [&](std::size_t e) {
    std::array<int, 10> nodes;
    for (int k = 0; k < 10; ++k) nodes[std::size_t(k)] = whole_.node(int(e), whole_.order == 1 ? k % 4 : k);
    return nodes;
  };
  const auto first = first_to_meet(elements, std::size_t(whole_.nodes), nodes_of);
  auto own = lists_of(ranks_), more = own, nodes = own;
  each_stretch(elements, [&](std::size_t s, std::size_t begin, std::size_t end) {
    std::vector<int> seen(size, -1);
    for (std::size_t e = begin; e < end; ++e) {
      const std::size_t home = std::size_t(rank_of_element_[e]);
      own[home][s].push_back(int(e));
      seen[home] = int(e);
      each_unknown(whole_, int(e), [&](int n) {
        const std::size_t r = std::size_t(owner_[std::size_t(n)]);
        if (std::exchange(seen[r], int(e)) != int(e)) more[r][s].push_back(int(e));
      });
      for (int k = 0; k < (whole_.order == 1 ? 4 : 10); ++k)
        if (const int n = whole_.node(int(e), k); first[std::size_t(n)] == int(e))
          nodes[home][s].push_back(n);
    }
  });
  for (std::size_t r = 0; r < size; ++r) {
    own_elements_[r] = joined(own[r]);
    more_elements_[r] = joined(more[r]);
    own_nodes_[r] = joined(nodes[r]);
  }
}

/// The rank that has most of an unknown's elements; of equal ones the first.
void Cut::find_owners() {
  const auto touching = touching_elements(whole_, whole_.order);
  const int nodes = whole_.order == 1 ? 4 : 10;
  owner_.assign(std::size_t(whole_.unknowns), 0);
  index_.assign(std::size_t(whole_.unknowns), 0);
#pragma omp parallel
  {
    std::vector<int> votes(std::size_t(ranks_), 0);
#pragma omp for schedule(static)
    for (int n = 0; n < whole_.unknowns; ++n) {
      std::fill(votes.begin(), votes.end(), 0);
      for (int t = touching.start[std::size_t(n)]; t < touching.start[std::size_t(n) + 1]; ++t)
        ++votes[std::size_t(rank_of_element_[std::size_t(touching.list[std::size_t(t)] / nodes)])];
      owner_[std::size_t(n)] = int(std::max_element(votes.begin(), votes.end()) - votes.begin());
    }
  }
  auto own = lists_of(ranks_);
  each_stretch(std::size_t(whole_.unknowns), [&](std::size_t s, std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) own[std::size_t(owner_[n])][s].push_back(int(n));
  });
  for (std::size_t r = 0; r < own.size(); ++r) {
    const auto& mine = own_unknowns_[r] = joined(own[r]);
#pragma omp parallel for schedule(static)
    for (std::size_t k = 0; k < mine.size(); ++k) index_[std::size_t(mine[k])] = int(k);
  }
}

void Cut::cut_nested(RankShare& s) const {
  for (std::size_t l = 0; l < nested_.size(); ++l)
    s.nested.push_back(
        ranks::cut_rows(nested_[l], l == 0 ? owner_ : level_owner_[l - 1], level_owner_[l], s.rank, ranks_));
}

Problem Cut::share(int rank) const {
  const std::size_t r = std::size_t(rank);
  auto s = std::make_shared<RankShare>();
  s->rank = rank, s->ranks = ranks_;
  s->unknowns = int(own_unknowns_[r].size());
  for (const int n : own_unknowns_[r]) s->vertex_unknowns += n < whole_.vertex_unknowns;
  s->elements = int(own_elements_[r].size());
  s->bodies = !whole_.base.empty();
  std::vector<int> elements = own_elements_[r];
  elements.insert(elements.end(), more_elements_[r].begin(), more_elements_[r].end());
  std::vector<std::vector<ranks::Owned>> others(stretches());
  each_stretch(elements.size(), [&](std::size_t stretch, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      each_unknown(whole_, elements[i], [&](int n) {
        if (owner_[std::size_t(n)] != rank)
          others[stretch].push_back({owner_[std::size_t(n)], index_[std::size_t(n)]});
      });
    ranks::sort_unique(others[stretch]);
  });
  s->ghosts = joined(others);
  ranks::sort_unique(s->ghosts);

  Problem p;
  static_cast<Settings&>(p) = whole_;
  static_cast<Replicated&>(p) = whole_;
  p.unknowns = s->unknowns + int(s->ghosts.size());
  /// Numbers here; behind them what is not seen.
  const auto local = [&](int n) {
    if (n < 0) return n;
    const ranks::Owned place{owner_[std::size_t(n)], index_[std::size_t(n)]};
    if (place.rank == rank) return place.index;
    const auto at = std::lower_bound(s->ghosts.begin(), s->ghosts.end(), place);
    if (at == s->ghosts.end() || *at != place) return p.unknowns + n;
    return s->unknowns + int(at - s->ghosts.begin());
  };

  // vertices first, then edges, in the order in which elements meet them
  const auto vertices = met_order(
      elements.size(), whole_.mesh.nodes.size(), [&](std::size_t i) -> const auto& {
        return whole_.mesh.tets[std::size_t(elements[i])];
      });
  MetOrder edges;
  if (whole_.order == 2)
    edges = met_order(
        elements.size(), whole_.edges.ends.size(), [&](std::size_t i) -> const auto& {
          return whole_.edges.of_tet[std::size_t(elements[i])];
        });
  resize_large(p.mesh.tets, elements.size());
  resize_large(p.material, elements.size());
  if (whole_.order == 2) resize_large(p.edges.of_tet, elements.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const std::size_t e = std::size_t(elements[i]);
    p.mesh.tets[i] = whole_.mesh.tets[e];
    for (int& v : p.mesh.tets[i]) v = vertices.number[std::size_t(v)];
    p.material[i] = whole_.material[e];
    if (whole_.order == 1) continue;
    p.edges.of_tet[i] = whole_.edges.of_tet[e];
    for (int& v : p.edges.of_tet[i]) v = edges.number[std::size_t(v)];
  }
  const std::size_t corners = vertices.thing.size(), nodes = corners + edges.thing.size();
  const int whole_corners = int(whole_.mesh.nodes.size());
  p.nodes = int(nodes);
  p.mesh.nodes.resize(corners);
  resize_large(p.unknown, nodes);
  resize_large(p.node_electrode, nodes);
  if (!whole_.base.empty()) p.base.resize(nodes);
  p.island.resize(whole_.island.empty() ? 0 : nodes);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < nodes; ++i) {
    const std::size_t n =
        std::size_t(i < corners ? vertices.thing[i] : whole_corners + edges.thing[i - corners]);
    if (i < corners) p.mesh.nodes[i] = whole_.mesh.nodes[n];
    p.unknown[i] = local(whole_.unknown[n]);
    p.node_electrode[i] = whole_.node_electrode[n];
    if (!p.island.empty()) p.island[i] = whole_.island[n];
    if (whole_.base.empty()) continue;
    const int base = whole_.base[n];
    p.base[i] = base == no_unknown ? base : local(base);
  }
  resize_large(s->own_node, own_nodes_[r].size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < own_nodes_[r].size(); ++i) {
    const int n = own_nodes_[r][i];
    s->own_node[i] = n < whole_corners ? vertices.number[std::size_t(n)]
                                       : int(corners) + edges.number[std::size_t(n - whole_corners)];
  }
  for (auto& e : p.electrodes) e.unknown = local(e.unknown);
  s->over.assign(p.electrodes.size(), no_unknown);
  for (std::size_t n = 0; n < whole_.base.size(); ++n)
    if (const int e = whole_.node_electrode[n]; e >= 0 && whole_.base[n] != no_unknown)
      s->over[std::size_t(e)] = local(whole_.base[n]);
  cut_nested(*s);
  p.share = std::move(s);
  return p;
}

namespace {

/// What a rank is sent: its share as bytes, or in one process the address of it, which it takes over.
std::vector<std::byte> packed(Problem share, bool in_process) {
  if (!in_process) return bytes_of(share);
  auto* const there = new Problem(std::move(share));
  std::vector<std::byte> out(sizeof there);
  std::memcpy(out.data(), &there, sizeof there);
  return out;
}
Problem unpacked(const std::vector<std::byte>& bytes, bool in_process) {
  if (in_process) {
    Problem* there = nullptr;
    std::memcpy(&there, bytes.data(), sizeof there);
    const std::unique_ptr<Problem> owned(there);
    return std::move(*owned);
  }
  auto share = std::make_shared<RankShare>();
  Problem p = problem_of(bytes, *share);
  p.share = std::move(share);
  return p;
}

}  // namespace

Problem take_share(comm::Communicator& comm, const Problem* whole) {
  std::vector<std::byte> mine;
  std::vector<std::vector<std::byte>> sent(std::size_t(comm.size()));
  std::shared_ptr<const WholeMap> map;
  Problem p;
  if (comm.first()) {
    const Cut cut(*whole, part_elements(whole->mesh, comm.size()), comm.size());
    // side by side, each with as many threads as its rank: the others wait for theirs
    std::vector<std::future<std::vector<std::byte>>> made;
    for (int r = 1; r < comm.size(); ++r)
      made.push_back(std::async(std::launch::async, [&cut, r, &comm, threads = omp_get_max_threads()] {
        omp_set_num_threads(threads);
        return packed(cut.share(r), comm.in_process());
      }));
    p = cut.share(0);
    for (int r = 1; r < comm.size(); ++r) sent[std::size_t(r)] = made[std::size_t(r) - 1].get();
    map = cut.map();
  }
  std::vector<std::size_t> sizes;
  for (const auto& bytes : sent) sizes.push_back(bytes.size());
  comm::broadcast(comm, sizes);
  mine.resize(sizes[std::size_t(comm.rank())]);
  std::vector<comm::Out> outs;
  for (int r = 1; comm.first() && r < comm.size(); ++r)
    outs.push_back(
        comm::out(r, static_cast<const std::byte*>(sent[std::size_t(r)].data()), sizes[std::size_t(r)]));
  const comm::In in = comm::in(0, mine.data(), mine.size());
  comm.exchange(outs, {&in, comm.first() ? 0u : 1u});
  sent.clear();
  if (!comm.first()) p = unpacked(mine, comm.in_process());
  // made above, and nobody else has it
  const auto share = std::const_pointer_cast<RankShare>(p.share);
  share->neighbours = ranks::find_neighbours(comm, share->ghosts);
  for (auto& level : share->nested) level.neighbours = ranks::find_neighbours(comm, level.ghosts);
  share->whole = map;
  return p;
}

}  // namespace umov::eqs
