#include <omp.h>

#include <algorithm>
#include <climits>
#include <memory>

#include "core/large_memory.hpp"
#include "mesh/tet_mesh.hpp"

namespace umov::mesh {
namespace {

/// Upper ends of a node's edges, each once and in no order, as many as fill a cache line. All loops are over
/// the whole line: the compiler makes a few vector instructions of them, without branches.
struct alignas(64) Chunk {
  static constexpr int size = 16, none = INT_MAX;
  int end[size];

  Chunk() { std::fill_n(end, size, none); }
  bool has(int node) const {
    int found = 0;
    for (int i = 0; i < size; ++i) found |= end[i] == node;
    return found;
  }
  /// How many are below `node`; below `none`: how many there are.
  int below(int node) const {
    int n = 0;
    for (int i = 0; i < size; ++i) n += end[i] < node;
    return n;
  }
};

Edge edge_of(const Tet& t, int e) {
  const int a = t[tet_edges[e][0]], b = t[tet_edges[e][1]];
  return {std::min(a, b), std::max(a, b)};
}

/// The upper ends of nodes [begin, end), filled by one thread.
class UpperEnds {
 public:
  UpperEnds(int begin, int end) : begin_(begin), first_(end - begin), next_(end - begin, -1) {}
  bool holds(int node) const { return unsigned(node - begin_) < first_.size(); }

  void add(int low, int high) {
    Chunk& c = first_[low - begin_];
    if (c.has(high)) return;
    if (c.end[Chunk::size - 1] == Chunk::none)
      c.end[c.below(Chunk::none)] = high;
    else
      add_further(low, high);
  }

  int rank(int low, int high) const {
    int n = first_[low - begin_].below(high);
    for (int i = next_[low - begin_]; i >= 0; i = next_more_[i]) n += more_[i].below(high);
    return n;
  }

  void list(int low, std::vector<int>& ends) const {
    ends.clear();
    const auto append = [&](const Chunk& c) { ends.insert(ends.end(), c.end, c.end + c.below(Chunk::none)); };
    append(first_[low - begin_]);
    for (int i = next_[low - begin_]; i >= 0; i = next_more_[i]) append(more_[i]);
    std::sort(ends.begin(), ends.end());
  }

 private:
  void add_further(int low, int high) {
    for (int* at = &next_[low - begin_];; at = &next_more_[*at]) {
      if (*at < 0) {
        *at = int(more_.size());
        more_.emplace_back().end[0] = high;
        next_more_.push_back(-1);
        return;
      }
      Chunk& c = more_[*at];
      if (c.has(high)) return;
      if (c.end[Chunk::size - 1] == Chunk::none) return void(c.end[c.below(Chunk::none)] = high);
    }
  }

  int begin_;
  std::vector<Chunk> first_, more_;    ///< per node; further ones
  std::vector<int> next_, next_more_;  ///< the chunk in more_ that follows
};

/// Nodes in equal blocks, one per thread. Every thread looks at all elements and keeps the edges of its own
/// nodes, so that no two write in one place.
class AllEnds {
 public:
  explicit AllEnds(const TetMesh& mesh) {
    const std::size_t nodes = mesh.nodes.size(), threads = omp_get_max_threads();
    block_ = unsigned(std::max<std::size_t>(1, (nodes + threads - 1) / threads));
    part_.resize((nodes + block_ - 1) / block_);
#pragma omp parallel for schedule(static, 1)
    for (std::size_t p = 0; p < part_.size(); ++p) {
      part_[p] = std::make_unique<UpperEnds>(int(p * block_), int(std::min(nodes, (p + 1) * block_)));
      UpperEnds& mine = *part_[p];
      for (const Tet& t : mesh.tets)
        for (int e = 0; e < 6; ++e) {
          const auto [low, high] = edge_of(t, e);
          if (mine.holds(low)) mine.add(low, high);
        }
    }
  }
  const UpperEnds& of(int low) const { return *part_[unsigned(low) / block_]; }

 private:
  unsigned block_;
  std::vector<std::unique_ptr<UpperEnds>> part_;
};

}  // namespace

EdgeList find_edges(const TetMesh& mesh) {
  const AllEnds upper(mesh);
  const int nodes = int(mesh.nodes.size());
  std::vector<int> first(nodes + 1, 0);
#pragma omp parallel for schedule(static)
  for (int n = 0; n < nodes; ++n) first[n + 1] = upper.of(n).rank(n, Chunk::none);
  for (int n = 0; n < nodes; ++n) first[n + 1] += first[n];

  EdgeList edges;
  resize_large(edges.ends, std::size_t(first[nodes]));
  resize_large(edges.of_tet, mesh.tets.size());
#pragma omp parallel
  {
    std::vector<int> ends;
#pragma omp for schedule(static)
    for (int n = 0; n < nodes; ++n) {
      upper.of(n).list(n, ends);
      for (std::size_t i = 0; i < ends.size(); ++i) edges.ends[first[n] + i] = {n, ends[i]};
    }
#pragma omp for schedule(static)
    for (std::size_t t = 0; t < mesh.tets.size(); ++t)
      for (int e = 0; e < 6; ++e) {
        const auto [low, high] = edge_of(mesh.tets[t], e);
        edges.of_tet[t][e] = first[low] + upper.of(low).rank(low, high);
      }
  }
  return edges;
}

}  // namespace umov::mesh
