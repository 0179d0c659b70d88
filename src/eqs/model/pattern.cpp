// The pattern of the system's matrix.
#include "eqs/model/pattern.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "core/large_memory.hpp"
#include "eqs/model/indices_where.hpp"
#include "eqs/model/rank_share.hpp"

namespace umov::eqs {

namespace {

int nodes_of(int order) { return order == 1 ? 4 : 10; }
/// Rows there are: a rank has those of its own unknowns.
int unknowns_of(const Problem& p, int order) {
  if (p.share) return order == 1 ? p.share->vertex_unknowns : p.share->unknowns;
  return order == 1 ? p.vertex_unknowns : p.unknowns;
}

/// functions(), inside of loops over all elements.
template <int Nodes>
class FunctionsOf {
 public:
  explicit FunctionsOf(const Problem& p)
      : tets_(p.mesh.tets.data()),
        edges_(p.edges.of_tet.data()),
        unknown_(p.unknown.data()),
        base_(p.base.empty() ? nullptr : p.base.data()),
        good_(p.good.data()),
        material_(p.material.data()),
        vertices_(int(p.mesh.nodes.size())) {}
  NodeFunctions operator()(int tet, int k) const {
    const int node = Nodes == 4 || k < 4 ? tets_[tet][k] : vertices_ + edges_[tet][k - 4];
    if (!base_) return {unknown_[node], no_unknown};
    return node_functions(unknown_[node], base_[node], good_[material_[tet]] != 0);
  }

 private:
  const mesh::Tet* tets_;
  const std::array<int, 6>* edges_;
  const int *unknown_, *base_;
  const char* good_;
  const int* material_;
  int vertices_;
};

/// A set of small numbers for one row: a table that stays in cache, emptied by a new stamp.
class RowSet {
 public:
  void clear() {
    if (++stamp_ == 0) {
      std::fill(std::begin(stamped_), std::end(stamped_), 0);
      stamp_ = 1;
    }
    found.clear();
  }
  /// For at most size / 2 different numbers.
  void insert(int v) {
    unsigned h = unsigned(v) * 2654435769u >> shift;
    for (; stamped_[h] == stamp_; h = (h + 1) % size)
      if (value_[h] == v) return;
    stamped_[h] = stamp_;
    value_[h] = v;
    found.push_back(v);
  }
  static constexpr unsigned size = 2048, shift = 32 - 11;
  std::vector<int> found;

 private:
  unsigned stamped_[size] = {};
  int value_[size];
  unsigned stamp_ = 0;
};

/// One stretch of rows, so that stretches are independent of threads.
struct Stretch {
  std::vector<int> column, length, fixed_row, fixed_length, fixed_electrode;
};
constexpr int stretch_rows = 1 << 15;

template <int Nodes>
void fill_stretch(const Problem& p, const Incidence& touching, int begin, int end, Stretch& out) {
  const FunctionsOf<Nodes> functions(p);
  RowSet set, fixed;
  for (int row = begin; row < end; ++row) {
    set.clear();
    fixed.clear();
    const int from = touching.start[row], to = touching.start[row + 1];
    const bool large = index_t(to - from) * Nodes * (p.base.empty() ? 1 : 2) > index_t(RowSet::size / 2);
    for (int t = from; t < to; ++t) {
      const int e = int(touching.list[t] / Nodes);
      for (int k = 0; k < Nodes; ++k) {
        const NodeFunctions both = functions(e, k);
        for (const int n : {both.first, both.second}) {
          if (n == no_unknown) continue;
          if (n < 0)
            fixed.insert(-1 - n);
          else if (large)
            set.found.push_back(n);
          else
            set.insert(n);
        }
      }
    }
    std::sort(set.found.begin(), set.found.end());
    if (large) set.found.erase(std::unique(set.found.begin(), set.found.end()), set.found.end());
    out.column.insert(out.column.end(), set.found.begin(), set.found.end());
    out.length.push_back(int(set.found.size()));
    if (fixed.found.empty()) continue;
    std::sort(fixed.found.begin(), fixed.found.end());
    out.fixed_row.push_back(row);
    out.fixed_length.push_back(int(fixed.found.size()));
    out.fixed_electrode.insert(out.fixed_electrode.end(), fixed.found.begin(), fixed.found.end());
  }
}

[[noreturn]] void refuse_size() {
  throw BadInput("the mesh has too many elements for one device (2^31 element nodes); refine less");
}

/// Places in rows, taken by one thread or by several at once.
class Counters {
 public:
  explicit Counters(std::vector<int>& count) : count_(count), alone_(omp_get_max_threads() == 1) {}
  bool alone() const { return alone_; }
  int take(int row) {
    return alone_ ? count_[row]++ : std::atomic_ref(count_[row]).fetch_add(1, std::memory_order_relaxed);
  }

 private:
  std::vector<int>& count_;
  bool alone_;
};

/// Sums of what stands before each entry, into `start` and into `count` itself; the sum of all. Where that is
/// beyond an int, the others mean nothing.
index_t scan(std::vector<int>& count, std::vector<int>& start) {
  constexpr std::size_t block = 1 << 15;
  const std::size_t n = count.size(), blocks = (n + block - 1) / block;
  std::vector<index_t> before(blocks + 1, 0);
#pragma omp parallel for schedule(static)
  for (std::size_t b = 0; b < blocks; ++b)
    for (std::size_t r = b * block; r < std::min(n, (b + 1) * block); ++r) before[b + 1] += count[r];
  for (std::size_t b = 0; b < blocks; ++b) before[b + 1] += before[b];
  resize_large(start, n + 1);
#pragma omp parallel for schedule(static)
  for (std::size_t b = 0; b < blocks; ++b) {
    index_t at = before[b];
    for (std::size_t r = b * block; r < std::min(n, (b + 1) * block); ++r)
      at += std::exchange(count[r], start[r] = int(at));
  }
  start[n] = int(before[blocks]);
  return before[blocks];
}

/// Incidence of rows number[unknown] (-1: not wanted) with the given elements. Several threads fill a row in
/// any order; it is sorted after that.
template <int Nodes, class Place>
IncidenceOf<Place> incidence(const Problem& p, const std::vector<int>* elements,
                             const std::vector<int>* number, int rows) {
  const FunctionsOf<Nodes> functions(p);
  const index_t count = elements ? index_t(elements->size()) : index_t(p.mesh.tets.size());
  const auto rows_of = [&](index_t t, int k) {
    const NodeFunctions both = functions(elements ? (*elements)[t] : int(t), k);
    const auto row_of = [&](int n) { return n < 0 ? -1 : number ? (*number)[n] : n < rows ? n : -1; };
    return std::array<int, 2>{row_of(both.first), row_of(both.second)};
  };
  IncidenceOf<Place> out;
  std::vector<int> next;
  resize_large(next, std::size_t(rows));
  Counters counters(next);
#pragma omp parallel for schedule(static)
  for (index_t t = 0; t < count; ++t)
    for (int k = 0; k < Nodes; ++k)
      for (const int r : rows_of(t, k))
        if (r >= 0) counters.take(r);
  const index_t total = scan(next, out.start);
  if (total > std::numeric_limits<int>::max()) refuse_size();
  resize_large(out.list, std::size_t(total));
#pragma omp parallel for schedule(static)
  for (index_t t = 0; t < count; ++t)
    for (int k = 0; k < Nodes; ++k)
      for (const int r : rows_of(t, k))
        if (r >= 0) out.list[counters.take(r)] = Place(t * Nodes + k);
  if (counters.alone()) return out;
#pragma omp parallel for schedule(dynamic, 4096)
  for (int r = 0; r < rows; ++r)
    std::sort(out.list.begin() + out.start[r], out.list.begin() + out.start[r + 1]);
  return out;
}

}  // namespace

IncidenceOf<int> touching_elements(const Problem& p, int order) {
  if (index_t(p.mesh.tets.size()) * nodes_of(order) > std::numeric_limits<int>::max()) refuse_size();
  const int rows = unknowns_of(p, order);
  return order == 1 ? incidence<4, int>(p, nullptr, nullptr, rows)
                    : incidence<10, int>(p, nullptr, nullptr, rows);
}

namespace {

template <int Nodes>
Pattern pattern(const Problem& p, int rows) {
  Pattern out;
  out.touching = incidence<Nodes, index_t>(p, nullptr, nullptr, rows);
  const int stretches = (rows + stretch_rows - 1) / stretch_rows;
  std::vector<Stretch> parts(stretches);
#pragma omp parallel for schedule(dynamic)
  for (int s = 0; s < stretches; ++s)
    fill_stretch<Nodes>(p, out.touching, s * stretch_rows, std::min(rows, (s + 1) * stretch_rows), parts[s]);

  std::vector<index_t> first(stretches + 1, 0);
  for (int s = 0; s < stretches; ++s) first[s + 1] = first[s] + index_t(parts[s].column.size());
  if (first.back() > std::numeric_limits<int>::max())
    throw BadInput("the matrix would have " + std::to_string(first.back()) +
                   " entries (2^31 are possible); refine less or use elements of first order");
  resize_large(out.start, std::size_t(rows) + 1);
  resize_large(out.column, std::size_t(first.back()));
  out.fixed_start.push_back(0);
#pragma omp parallel for schedule(static)
  for (int s = 0; s < stretches; ++s) {
    int at = int(first[s]), row = s * stretch_rows;
    for (const int length : parts[s].length) out.start[row++] = at, at += length;
    std::copy(parts[s].column.begin(), parts[s].column.end(), out.column.begin() + first[s]);
    parts[s].column = {};
  }
  out.start[rows] = int(first.back());
  for (const auto& s : parts) {
    out.fixed_row.insert(out.fixed_row.end(), s.fixed_row.begin(), s.fixed_row.end());
    out.fixed_electrode.insert(out.fixed_electrode.end(), s.fixed_electrode.begin(), s.fixed_electrode.end());
    for (const int length : s.fixed_length) out.fixed_start.push_back(out.fixed_start.back() + length);
  }
  return out;
}

template <int Nodes>
NonlinearPart nonlinear(const Problem& p, int rows) {
  NonlinearPart out;
  std::vector<char> nonlinear;
  for (const Material& m : p.materials) nonlinear.push_back(m.nonlinear());
  out.element = indices_where(int(p.mesh.tets.size()), [&](int t) { return nonlinear[p.material[t]] != 0; });
  if (out.element.empty()) {
    out.touching.start.push_back(0);
    return out;
  }
  const FunctionsOf<Nodes> functions(p);
  std::vector<int> number(std::size_t(std::max(rows, p.unknowns)), -1);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < out.element.size(); ++i)
    for (int k = 0; k < Nodes; ++k) {
      const NodeFunctions both = functions(out.element[i], k);
      for (const int n : {both.first, both.second})
        if (n >= 0) std::atomic_ref(number[n]).store(0, std::memory_order_relaxed);
    }
  out.row = indices_where(rows, [&](int n) { return number[n] == 0; });
#pragma omp parallel for schedule(static)
  for (std::size_t r = 0; r < out.row.size(); ++r) number[out.row[r]] = int(r);
  std::fill(number.begin() + rows, number.end(), -1);
  out.touching = incidence<Nodes, index_t>(p, &out.element, &number, int(out.row.size()));
  return out;
}

}  // namespace

Pattern make_pattern(const Problem& p, int order) {
  const int rows = unknowns_of(p, order);
  return order == 1 ? pattern<4>(p, rows) : pattern<10>(p, rows);
}

NonlinearPart nonlinear_part(const Problem& p, int order) {
  const int rows = unknowns_of(p, order);
  return order == 1 ? nonlinear<4>(p, rows) : nonlinear<10>(p, rows);
}

NodeFunctions functions(const Problem& p, int tet, int k) {
  const int node = p.node(tet, k);
  if (p.base.empty()) return {p.unknown[node], no_unknown};
  return node_functions(p.unknown[node], p.base[node], p.good[p.material[tet]] != 0);
}

std::vector<int> edge_parents(const Problem& p, int& per_edge) {
  per_edge = p.base.empty() ? 2 : 4;
  std::vector<int> list(std::size_t(per_edge) * std::size_t(p.unknowns - p.vertex_unknowns), -1);
  const int vertices = int(p.mesh.nodes.size());
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < p.edges.ends.size(); ++e) {
    const int n = p.unknown[vertices + e] - p.vertex_unknowns;
    if (n < 0) continue;  // fixed, or of a floating conductor
    int* to = list.data() + std::size_t(per_edge) * n;
    const bool inside = per_edge == 4 && p.base[vertices + e] != no_unknown;
    for (const int end : p.edges.ends[e]) {
      const auto both = node_functions(p.unknown[end], per_edge == 4 ? p.base[end] : no_unknown, inside);
      *to++ = std::max(-1, both.first);
      if (per_edge == 4) *to++ = std::max(-1, both.second);
    }
  }
  return list;
}

std::shared_ptr<const Pattern> SharedPatterns::of(const Problem& p, int order) {
  const std::lock_guard hold(lock_);
  auto& made = made_[order - 1][p.base.empty() ? 0 : 1];
  if (!made) made = std::make_shared<const Pattern>(make_pattern(p, order));
  return made;
}

std::shared_ptr<const Pattern> pattern_of(const Problem& p, int order) {
  return p.patterns ? p.patterns->of(p, order) : std::make_shared<const Pattern>(make_pattern(p, order));
}

}  // namespace umov::eqs
