// Sets of cells as bits.
#include <algorithm>
#include <bit>

#include "fdtd/tuned/cuda/cell_set.hpp"

namespace umov::fdtd::tuned {

CellSet::CellSet(const Grid& g) {
  for (int a = 0; a < 3; ++a) nodes_[a] = g.active(a) ? g.cells[a] + 1 : 1;
  words_ = (std::size_t(nodes_[0]) + 31) / 32;
  bits_.resize(words_ * nodes_[1] * nodes_[2]);
}

void CellSet::add(int i, int j, int k) { row(j, k)[i / 32] |= 1u << (i % 32); }

void CellSet::add_box(Int3 lo, Int3 hi) {
  for (int a = 0; a < 3; ++a) lo[a] = std::max(lo[a], 0), hi[a] = std::min(hi[a], nodes_[a]);
  for (int k = lo[2]; k < hi[2]; ++k)
    for (int j = lo[1]; j < hi[1]; ++j)
      for (int i = lo[0]; i < hi[0]; ++i) add(i, j, k);
}

void CellSet::grow_along_x() {
  const std::uint32_t tail = nodes_[0] % 32 ? (1u << (nodes_[0] % 32)) - 1 : ~0u;
  for (std::size_t r = 0; r < bits_.size(); r += words_) {
    std::uint32_t before = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint32_t now = bits_[r + w], after = w + 1 < words_ ? bits_[r + w + 1] : 0;
      bits_[r + w] = now | now << 1 | now >> 1 | before >> 31 | after << 31;
      before = now;
    }
    bits_[r + words_ - 1] &= tail;
  }
}

/// Neighbouring rows are `stride` words apart; `group` words hold all rows that are neighbours along the
/// axis.
void CellSet::grow_rows(std::size_t stride, std::size_t group) {
  if (group <= stride) return;
  const std::vector<std::uint32_t> old = bits_;
  for (std::size_t w = 0; w < bits_.size(); ++w) {
    const std::size_t in_group = w % group;
    if (in_group >= stride) bits_[w] |= old[w - stride];
    if (in_group + stride < group) bits_[w] |= old[w + stride];
  }
}

void CellSet::grow(int times) {
  for (int t = 0; t < times; ++t) {
    if (nodes_[0] > 1) grow_along_x();
    grow_rows(words_, words_ * nodes_[1]);
    grow_rows(words_ * nodes_[1], bits_.size());
  }
}

index_t CellSet::count() const {
  index_t n = 0;
  for (const std::uint32_t w : bits_) n += std::popcount(w);
  return n;
}

std::vector<Segment> CellSet::segments() const {
  std::vector<Segment> s;
  for (std::size_t w = 0; w < bits_.size(); ++w) {
    if (!bits_[w]) continue;
    const std::size_t r = w / words_;
    s.push_back({int(w % words_) * 32, int(r % nodes_[1]), int(r / nodes_[1]), bits_[w]});
  }
  return s;
}

namespace {

void add_listed(CellSet& set, const Layout& layout, index_t cell) {
  const index_t at = cell - layout.base, k = at / layout.plane, in_plane = at - k * layout.plane;
  set.add(int(in_plane % layout.pitch), int(in_plane / layout.pitch), int(k));
}
template <class Groups>
void add_lists(CellSet& set, const Layout& layout, const Groups& groups) {
  for (const auto& g : groups)
    for (const index_t cell : g.cells) add_listed(set, layout, cell);
}
template <class Samplers>
void add_sampled(CellSet& set, const Layout& layout, const Samplers& samplers, int most_interval) {
  for (const auto& s : samplers)
    if (s.interval <= most_interval)
      for (const index_t cell : s.cells) add_listed(set, layout, cell);
}

}  // namespace

CellSet special_cells(const Problem& p, bool layers, int most_interval) {
  const Layout layout(p.grid);
  const Int3 n = p.grid.cells;
  CellSet set(p.grid);
  add_lists(set, layout, p.sources);
  add_sampled(set, layout, p.recorders, most_interval);
  add_sampled(set, layout, p.fouriers, most_interval);
  add_lists(set, layout, p.dispersive);
  for (const auto& half : p.cut_media.halves) add_listed(set, layout, half.cell);
  for (const auto& edge : p.cut_media.edges)
    if (&edge != &p.cut_media.edges.back()) add_listed(set, layout, edge.cell);
  for (const auto& terms : p.tensor)
    for (const TensorTerm& t : terms) add_listed(set, layout, t.cell);
  for (int a = 0; a < dimensions(p.grid.mode); ++a)
    for (int side = 0; side < 2; ++side) {
      int thick = layers && p.pml[a][side].layers ? p.pml[a][side].layers + 1 : 0;
      if (p.walls[a][side] != Closure::pec) thick = std::max(thick, 2);
      Int3 lo{0, 0, 0}, hi{n[0] + 1, n[1] + 1, n[2] + 1};
      if (side == 0)
        hi[a] = thick;
      else
        lo[a] = n[a] + 1 - thick;
      set.add_box(lo, hi);
    }
  return set;
}

}  // namespace umov::fdtd::tuned
