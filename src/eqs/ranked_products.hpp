// Two forms of one operator of several ranks: their rows, and their elements.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "eqs/products.hpp"
#include "eqs/rank_share.hpp"
#include "linalg/ranks/ranked_stiff.hpp"

namespace umov::eqs {

template <class Device>
struct PlainOf;
template <class Device>
struct PlainOf<comm::RankedDevice<Device>> {
  using type = Device;
};

/// The pattern of rows that lie on the device, with any values. Columns are numbered as the share's unknowns.
template <class Ranked>
ranks::RankedCsr pattern_of_rows(Ranked& dev, const sparse::CsrView<double>& a, const RankShare& share) {
  ranks::RankedCsr out;
  out.own_columns = share.unknowns;
  out.ghosts = share.ghosts;
  out.neighbours = share.neighbours;
  auto& rows = out.rows;
  rows.rows = a.rows, rows.columns = a.columns;
  rows.start.resize(std::size_t(a.rows) + 1);
  dev.download(rows.start.data(), a.start, rows.start.size());
  rows.column.resize(std::size_t(rows.start.back()));
  if (!rows.column.empty()) dev.download(rows.column.data(), a.column, rows.column.size());
  rows.value.resize(rows.column.size());
  return out;
}

/// The same of first-order elements on the mesh of second-order ones: columns that are no vertex's are left
/// out of the numbers. Of every rank.
template <class Ranked>
ranks::RankedCsr pattern_of_vertices(Ranked& dev, const sparse::CsrView<double>& a, const RankShare& share) {
  ranks::RankedCsr out = pattern_of_rows(dev, a, share);
  const auto vertices = comm::all_gather(dev.comm(), share.vertex_unknowns);
  std::vector<int> number(share.ghosts.size(), -1);
  out.own_columns = share.vertex_unknowns;
  out.ghosts.clear();
  for (std::size_t g = 0; g < share.ghosts.size(); ++g) {
    const ranks::Owned& ghost = share.ghosts[g];
    if (ghost.index >= vertices[std::size_t(ghost.rank)]) continue;
    number[g] = out.own_columns + int(out.ghosts.size());
    out.ghosts.push_back(ghost);
  }
  for (int& c : out.rows.column)
    if (c >= share.unknowns) c = number[std::size_t(c - share.unknowns)];
  out.rows.columns = out.own_columns + int(out.ghosts.size());
  out.neighbours = ranks::find_neighbours(dev.comm(), out.ghosts);
  return out;
}

/// The matrix in rows. Every member but the sizes is called by every rank, as of RankedElements.
template <class Ranked, class V>
class RankedAssembled {
 public:
  static constexpr bool free = false;
  void take(Ranked& dev, const MatrixSet<Ranked>& m, const RankShare& share) {
    dev_ = &dev;
    a_ = m.a;
    if (!pattern_.rows.start.empty()) return rows_.refill(m.a.value);
    pattern_ = pattern_of_rows(dev, m.a, share);
    rows_.build(dev, pattern_, m.a);
  }
  const ranks::RankedCsr& pattern() const { return pattern_; }
  index_t size() const { return rows_.size(); }
  std::size_t bytes() const { return rows_.bytes(); }
  std::string describe() const { return ""; }
  void apply(const V* x, V* y) const { rows_.apply(x, y); }
  void apply_dot(const V* x, V* y, double* sums) const { rows_.apply_dot(x, y, sums); }
  template <class R>
  void inverse_diagonal(R* inverse) const {
    dev_->for_each(a_.rows, InverseOfDiagonal<double, R>{a_, inverse});
  }

 private:
  Ranked* dev_ = nullptr;
  sparse::CsrView<double> a_;
  ranks::RankedCsr pattern_;
  ranks::RankedRows<typename PlainOf<Ranked>::type, V> rows_;
};

/// Elements, in arithmetic of V at least: those of the rank and those around its rows, which so are whole.
template <class Ranked, class V>
class RankedElements {
 public:
  static constexpr bool free = true;
  void take(Ranked& dev, const MatrixSet<Ranked>& m, const RankShare& share) {
    dev_ = &dev;
    matrix_ = m.elements;
    elements_.take(dev, m.elements);
    if (halo_) return;
    own_ = share.unknowns;
    halo_ = std::make_unique<comm::Halo<Ranked, V>>(dev, dev.channel(), share.neighbours);
    all_ = dev.template allocate<V>(std::size_t(own_) + share.ghosts.size());
    columns_.own_columns = own_;
    columns_.ghosts = share.ghosts, columns_.neighbours = share.neighbours;
    columns_.rows.columns = int(all_.size());
  }
  index_t size() const { return own_; }
  std::size_t bytes() const { return elements_.bytes() + all_.bytes() + diagonal_.bytes(); }
  std::string describe() const { return ", matrix-free (" + elements_.variant() + ")"; }

  template <class F>
  void then(const V* x, const F& f) const {
    elements_.then(with_ghosts(x, all_), f);
  }
  template <int K, class F>
  void then_sum(const V* x, const F& f, double* sums) const {
    elements_.template then_sum<K>(with_ghosts(x, all_), f, sums);
  }
  void apply(const V* x, V* y) const { then(x, sparse::Store<V>{y}); }
  void apply_dot(const V* x, V* y, double* sums) const { then_sum<1>(x, sparse::StoreDot<V>{x, y}, sums); }
  template <class R>
  void inverse_diagonal(R* inverse) const {
    eqs::inverse_diagonal(*dev_, matrix_, inverse);
  }
  /// See ElementForm; `diagonal`: of the rank's own; theta = 0: as before.
  ranks::AskedRows<RowsOfElements<V>> stiff_rows(const V* diagonal, double theta) const {
    if (diagonal_.size() == 0) diagonal_ = dev_->template allocate<V>(all_.size());
    if (theta > 0) with_ghosts(diagonal, diagonal_);  // a rank without unknowns has no address to give
    return {{matrix_.elements, matrix_.rows, std::as_const(diagonal_).data(), V(theta * theta)}, &columns_};
  }

 private:
  using Array = typename Ranked::template Array<V>;
  const V* with_ghosts(const V* x, Array& to) const {
    dev_->for_each(own_, sparse::Convert<V, V>{x, to.data()});
    halo_->start(x, to.data() + own_);
    halo_->finish();
    return to.data();
  }

  Ranked* dev_ = nullptr;
  ElementMatrix<Ranked> matrix_;
  FastElements<Ranked, V> elements_;
  int own_ = 0;
  std::unique_ptr<comm::Halo<Ranked, V>> halo_;
  mutable Array all_, diagonal_;  // x, and the ghosts' behind it; alike
  ranks::RankedCsr columns_;
};

}  // namespace umov::eqs
