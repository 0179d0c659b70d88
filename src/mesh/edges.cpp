#include <omp.h>

#include <algorithm>

#include "mesh/tet_mesh.hpp"

namespace umov::mesh {
namespace {

/// Upper ends of a node's edges, as many as fit in a cache line; -1 where there is none yet.
struct Chunk {
  static constexpr int size = 15;
  int end[size];
  int next = -1;  ///< in the pool of further chunks
  Chunk() { std::fill_n(end, size, -1); }
};

/// The upper ends of the edges of nodes [begin, end), each once, filled by one thread.
class UpperEnds {
 public:
  UpperEnds(int begin, int end) : begin_(begin), first_(end - begin) {}
  bool holds(int node) const { return unsigned(node - begin_) < first_.size(); }

  void add(int low, int high) {
    for (Chunk* c = &first_[low - begin_];;) {
      for (int& end : c->end) {
        if (end == high) return;
        if (end < 0) return void(end = high);
      }
      if (c->next < 0) {
        const int fresh = int(more_.size());
        c->next = fresh;
        more_.emplace_back();  // moves the chunks of the pool
        c = &more_[fresh];
      } else {
        c = &more_[c->next];
      }
    }
  }

  /// Calls f(node, ends) for every node in order, ends sorted.
  template <class F>
  void for_each(const F& f) const {
    std::vector<int> ends;
    for (std::size_t n = 0; n < first_.size(); ++n) {
      ends.clear();
      for (const Chunk* c = &first_[n]; c; c = c->next < 0 ? nullptr : &more_[c->next])
        for (int i = 0; i < Chunk::size && c->end[i] >= 0; ++i) ends.push_back(c->end[i]);
      std::sort(ends.begin(), ends.end());
      f(begin_ + int(n), ends);
    }
  }

 private:
  int begin_;
  std::vector<Chunk> first_, more_;
};

Edge edge_of(const Tet& t, int e) {
  const int a = t[tet_edges[e][0]], b = t[tet_edges[e][1]];
  return {std::min(a, b), std::max(a, b)};
}

/// Fills edges.ends; returns where the edges of each lower node begin. Every thread looks at all elements and
/// keeps the edges of its own nodes.
std::vector<int> find_ends(const TetMesh& mesh, EdgeList& edges) {
  const std::size_t nodes = mesh.nodes.size();
  std::vector<int> first(nodes + 1, 0);
#pragma omp parallel
  {
    const int threads = omp_get_num_threads(), me = omp_get_thread_num();
    UpperEnds mine(int(nodes * me / threads), int(nodes * (me + 1) / threads));
    for (const Tet& t : mesh.tets)
      for (int e = 0; e < 6; ++e) {
        const auto [low, high] = edge_of(t, e);
        if (mine.holds(low)) mine.add(low, high);
      }
    mine.for_each([&](int low, const std::vector<int>& ends) { first[low + 1] = int(ends.size()); });
#pragma omp barrier
#pragma omp single
    {
      for (std::size_t n = 0; n < nodes; ++n) first[n + 1] += first[n];
      edges.ends.resize(first[nodes]);
    }
    mine.for_each([&](int low, const std::vector<int>& ends) {
      for (std::size_t i = 0; i < ends.size(); ++i) edges.ends[first[low] + i] = {low, ends[i]};
    });
  }
  return first;
}

}  // namespace

EdgeList find_edges(const TetMesh& mesh) {
  EdgeList edges;
  const std::vector<int> first = find_ends(mesh, edges);
  edges.of_tet.resize(mesh.tets.size());
#pragma omp parallel for schedule(static)
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (int e = 0; e < 6; ++e) {
      const Edge wanted = edge_of(mesh.tets[t], e);
      int i = first[wanted[0]];
      while (edges.ends[i][1] != wanted[1]) ++i;
      edges.of_tet[t][e] = i;
    }
  return edges;
}

}  // namespace umov::mesh
