// Two forms of one operator of several ranks: their rows, and their elements.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "eqs/model/rank_share.hpp"
#include "eqs/solve/products.hpp"
#include "linalg/ranks/ranked_stiff.hpp"

namespace umov::eqs {

template <class Device>
struct PlainOf;
template <class Device>
struct PlainOf<comm::RankedDevice<Device>> {
  using type = Device;
};

/// Columns of a rank's rows: the share's unknowns.
inline ranks::RankedColumns columns_of(const RankShare& share) {
  return {share.unknowns, share.ghosts, share.neighbours};
}

/// Columns of first-order elements on the mesh of second-order ones: those of `share` that are vertices,
/// whose numbers begin a rank's own. `number`: of the share's ghosts among these columns; -1 for the others.
/// Of every rank.
inline ranks::RankedColumns columns_of_vertices(comm::Communicator& comm, const RankShare& share,
                                                std::vector<int>& number) {
  ranks::RankedColumns out;
  const auto vertices = comm::all_gather(comm, share.vertex_unknowns);
  number.assign(share.ghosts.size(), -1);
  out.own_columns = share.vertex_unknowns;
  for (std::size_t g = 0; g < share.ghosts.size(); ++g) {
    const ranks::Owned& ghost = share.ghosts[g];
    if (ghost.index >= vertices[std::size_t(ghost.rank)]) continue;
    number[g] = out.columns();
    out.ghosts.push_back(ghost);
  }
  out.neighbours = ranks::find_neighbours(comm, out.ghosts);
  return out;
}
/// Columns of the share's unknowns become those of its vertices.
struct ColumnOfVertex {
  int unknowns;       ///< of the share
  const int* number;  ///< of its ghosts
  const int* from;
  int* to;
  UMOV_HD void operator()(index_t k) const {
    to[k] = from[k] < unknowns ? from[k] : number[from[k] - unknowns];
  }
};

/// The matrix in rows. Every member but the sizes is called by every rank, as of RankedElements.
template <class Ranked, class V>
class RankedAssembled {
 public:
  static constexpr bool free = false;
  void take(Ranked& dev, const MatrixSet<Ranked>& m, const RankShare& share) {
    dev_ = &dev;
    a_ = m.a;
    if (built_) return rows_.refill(m.a.value);
    built_ = true;
    rows_.build(dev, columns_of(share), m.a);
  }
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
  bool built_ = false;
  sparse::CsrView<double> a_;
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
    columns_ = columns_of(share);
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
  ranks::RankedColumns columns_;
};

}  // namespace umov::eqs
