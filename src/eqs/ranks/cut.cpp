// Shares of ranks: owners of unknowns, elements around them, numbers there and back.
#include "eqs/ranks/cut.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <future>
#include <memory>
#include <utility>

#include "eqs/kernels/element.hpp"
#include "eqs/nested.hpp"
#include "eqs/pattern.hpp"
#include "eqs/ranks/share_bytes.hpp"
#include "eqs/solver_choice.hpp"

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
  out.column.resize(std::size_t(out.start.back()));
  out.value.resize(out.column.size());
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
  std::vector<int> out(std::size_t(p.columns), -1);
  for (const bool alone : {true, false})
    for (int i = 0; i < p.rows; ++i)
      for (int k = p.start[i]; k < p.start[i + 1]; ++k)
        if (int& owner = out[std::size_t(p.column[k])];
            owner < 0 && (!alone || p.start[i + 1] - p.start[i] == 1))
          owner = fine[std::size_t(i)];
  for (int& owner : out) owner = std::max(owner, 0);
  return out;
}

}  // namespace

Cut::Cut(const Problem& whole, std::vector<int> rank_of_element, int ranks)
    : whole_(whole), ranks_(ranks), rank_of_element_(std::move(rank_of_element)) {
  const std::size_t size = std::size_t(ranks);
  own_unknowns_.resize(size), own_elements_.resize(size), own_nodes_.resize(size),
      more_elements_.resize(size);
  find_owners();
  std::vector<int> seen(size, -1);
  std::vector<char> reported(std::size_t(whole.nodes), 0);
  for (std::size_t e = 0; e < whole.mesh.tets.size(); ++e) {
    const int home = rank_of_element_[e];
    own_elements_[std::size_t(home)].push_back(int(e));
    seen[std::size_t(home)] = int(e);
    each_unknown(whole, int(e), [&](int n) {
      const int r = owner_[std::size_t(n)];
      if (std::exchange(seen[std::size_t(r)], int(e)) != int(e))
        more_elements_[std::size_t(r)].push_back(int(e));
    });
    for (int k = 0; k < (whole.order == 1 ? 4 : 10); ++k)
      if (char& done = reported[std::size_t(whole.node(int(e), k))]; !done) {
        done = 1;
        own_nodes_[std::size_t(home)].push_back(whole.node(int(e), k));
      }
  }
  auto map = std::make_shared<WholeMap>();
  map->unknowns = std::size_t(whole.unknowns), map->nodes = std::size_t(whole.nodes);
  map->elements = whole.mesh.tets.size();
  const auto append = [&](const std::vector<std::vector<int>>& lists, std::vector<int>& all,
                          std::vector<std::size_t>& counts) {
    for (const auto& list : lists) {
      counts.push_back(list.size());
      all.insert(all.end(), list.begin(), list.end());
    }
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
  for (int n = 0; n < whole_.unknowns; ++n) {
    const int owner = owner_[std::size_t(n)];
    index_[std::size_t(n)] = int(own_unknowns_[std::size_t(owner)].size());
    own_unknowns_[std::size_t(owner)].push_back(n);
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
  for (const int e : elements)
    each_unknown(whole_, e, [&](int n) {
      if (owner_[std::size_t(n)] != rank)
        s->ghosts.push_back({owner_[std::size_t(n)], index_[std::size_t(n)]});
    });
  std::sort(s->ghosts.begin(), s->ghosts.end());
  s->ghosts.erase(std::unique(s->ghosts.begin(), s->ghosts.end()), s->ghosts.end());

  Problem p;
  p.analysis = whole_.analysis, p.order = whole_.order;
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
  std::vector<int> vertex_of(whole_.mesh.nodes.size(), -1), edge_of(whole_.edges.ends.size(), -1), vertices,
      edges;
  p.mesh.tets.reserve(elements.size());
  p.material.reserve(elements.size());
  if (whole_.order == 2) p.edges.of_tet.reserve(elements.size());
  for (const int e : elements) {
    mesh::Tet t = whole_.mesh.tets[std::size_t(e)];
    for (int& v : t) {
      int& here = vertex_of[std::size_t(v)];
      if (here < 0) here = int(vertices.size()), vertices.push_back(v);
      v = here;
    }
    p.mesh.tets.push_back(t);
    p.material.push_back(whole_.material[std::size_t(e)]);
    if (whole_.order == 1) continue;
    auto list = whole_.edges.of_tet[std::size_t(e)];
    for (int& v : list) {
      int& here = edge_of[std::size_t(v)];
      if (here < 0) here = int(edges.size()), edges.push_back(v);
      v = here;
    }
    p.edges.of_tet.push_back(list);
  }
  std::vector<int> nodes = vertices;
  nodes.reserve(vertices.size() + edges.size());
  p.unknown.reserve(vertices.size() + edges.size());
  p.node_electrode.reserve(vertices.size() + edges.size());
  for (const int v : vertices) p.mesh.nodes.push_back(whole_.mesh.nodes[std::size_t(v)]);
  for (const int e : edges) nodes.push_back(int(whole_.mesh.nodes.size()) + e);
  p.nodes = int(nodes.size());
  for (const int n : nodes) {
    p.unknown.push_back(local(whole_.unknown[std::size_t(n)]));
    p.node_electrode.push_back(whole_.node_electrode[std::size_t(n)]);
    if (!whole_.base.empty()) {
      const int base = whole_.base[std::size_t(n)];
      p.base.push_back(base == no_unknown ? base : local(base));
    }
  }
  for (const int n : own_nodes_[r]) {
    const int v = int(whole_.mesh.nodes.size());
    s->own_node.push_back(n < v ? vertex_of[std::size_t(n)]
                                : int(vertices.size()) + edge_of[std::size_t(n - v)]);
  }
  p.good = whole_.good;
  p.contrast = whole_.contrast, p.rate = whole_.rate;
  p.materials = whole_.materials;
  p.electrodes = whole_.electrodes;
  for (auto& e : p.electrodes) e.unknown = local(e.unknown);
  s->over.assign(p.electrodes.size(), no_unknown);
  for (std::size_t n = 0; n < whole_.base.size(); ++n)
    if (const int e = whole_.node_electrode[n]; e >= 0 && whole_.base[n] != no_unknown)
      s->over[std::size_t(e)] = local(whole_.base[n]);
  p.symmetry_factor = whole_.symmetry_factor;
  p.newton = whole_.newton, p.linear = whole_.linear;
  p.scheme = whole_.scheme, p.spectral_radius = whole_.spectral_radius;
  p.max_stages = whole_.max_stages, p.time_tolerance = whole_.time_tolerance;
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
    // side by side: the other ranks wait for theirs
    std::vector<std::future<std::vector<std::byte>>> made;
    for (int r = 1; r < comm.size(); ++r)
      made.push_back(std::async(std::launch::async,
                                [&cut, r, &comm] { return packed(cut.share(r), comm.in_process()); }));
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
