// Multigrid in the polynomial order: second-order elements over first-order ones on the same mesh.
#pragma once

#include <utility>

#include "linalg/amg/hierarchy.hpp"

namespace umov::linalg {

struct CountParents {
  const int* parents;
  int per_edge;
  int* count;
  UMOV_HD void operator()(index_t e) const {
    count[e] = 0;
    for (int k = 0; k < per_edge; ++k) count[e] += parents[per_edge * e + k] >= 0;
  }
};
template <class T>
struct FillParents {
  const int *parents, *start;
  int per_edge;
  int* column;
  T* value;
  UMOV_HD void operator()(index_t e) const {
    int to = start[e];
    for (int k = 0; k < per_edge; ++k) {
      const int p = parents[per_edge * e + k];
      if (p < 0) continue;
      int at = to++;
      for (; at > start[e] && column[at - 1] > p; --at) column[at] = column[at - 1];
      column[at] = p;
      value[to - 1] = T(0.5);
    }
  }
};
/// b_k = r_k + (half the r of the edges that end in k), given that sum: the transpose of interpolation.
template <class T>
struct RestrictOrder {
  const T* r;
  T* b;
  UMOV_HD void operator()(index_t k, T of_edges) const { b[k] = r[k] + of_edges; }
};
/// x = x + P c: vertices take over, edges take half of each end; a fixed end contributes nothing.
template <class T>
struct AddInterpolated {
  const int* parents;
  int per_edge, vertices;
  const T* c;
  T* x;
  UMOV_HD void operator()(index_t i) const {
    if (i < vertices) {
      x[i] += c[i];
      return;
    }
    T sum = 0;
    for (int k = 0; k < per_edge; ++k) {
      const int p = parents[per_edge * (i - vertices) + k];
      if (p >= 0) sum += c[p];
    }
    x[i] += T(0.5) * sum;
  }
};
/// What Op::then_sum does, for operators that have only `then`.
template <class T, class Then>
struct SumStored {
  const T* y;
  Then then;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    then(i, y[i], sums);
  }
};

template <class T>
struct DiagonalOfInverse {
  const T* inverse;
  T* diagonal;
  UMOV_HD void operator()(index_t i) const { diagonal[i] = inverse[i] > 0 ? T(1) / inverse[i] : T(0); }
};

/// Interpolation of first order into second, and its transpose. Unknowns [0, vertices) are the first-order
/// ones; unknown vertices + e belongs to edge e.
template <class Device, class T>
class EdgeTransfer {
 public:
  /// `parents` (`per_edge` first-order unknowns or -1 per edge, of which it takes half each) live on the
  /// device and outlive this; n: unknowns of second order.
  void make(Device& dev, index_t n, int vertices, const int* parents, int per_edge) {
    dev_ = &dev, n_ = n;
    parents_ = parents, vertices_ = vertices, per_edge_ = per_edge;
    const index_t edges = n - vertices;
    sparse::Csr<Device, T> p;
    p.rows = int(edges), p.columns = vertices;
    p.start = dev.template allocate<int>(edges + 1);
    dev.fill_zero(p.start.data(), edges + 1);
    dev.for_each(edges, CountParents{parents, per_edge, p.start.data()});
    const index_t entries = dev.exclusive_scan(p.start.data(), edges + 1);
    p.column = dev.template allocate<int>(entries);
    p.value = dev.template allocate<T>(entries);
    dev.for_each(edges, FillParents<T>{parents, p.start.data(), per_edge, p.column.data(), p.value.data()});
    children_ = transpose(dev, std::as_const(p).view());
    children_.look_for_long_rows(dev);
  }
  int coarse() const { return vertices_; }
  void restrict_to(const T* r, T* b) const {
    // as rows of a matrix: a conductor's unknown ends thousands of edges
    rows_then(*dev_, children_.view(), r + vertices_, RestrictOrder<T>{r, b});
  }
  void add(const T* c, T* x) const {
    dev_->for_each(n_, AddInterpolated<T>{parents_, per_edge_, vertices_, c, x});
  }
  std::size_t bytes() const { return children_.bytes(); }

 private:
  Device* dev_ = nullptr;
  index_t n_ = 0;
  const int* parents_ = nullptr;
  int vertices_ = 0, per_edge_ = 2;
  sparse::Csr<Device, T> children_;
};

/// A V-cycle on the second-order level around the V-cycle of a first-order hierarchy (Helenbrook and Atkins
/// 2006, AIAA J. 44, 566, for the idea). Op (in T) has size() and then(x, f), which calls f(i, (A x)_i) once
/// for each i; with stiff_rows(diagonal, theta), its rows as amg::MatrixRows has them, those of flat elements
/// get the longer polynomial of amg::StiffPart. Coarse and Stiff have the members of amg::Hierarchy and
/// amg::StiffPart, Transfer those of EdgeTransfer.
template <class Device, class T, class Op, class Coarse = amg::Hierarchy<Device, T>,
          class Transfer = EdgeTransfer<Device, T>, class Stiff = amg::StiffPart<Device, T>>
class PMultigrid {
 public:
  PMultigrid(Device& dev, const amg::Options& options) : dev_(dev), options_(options) {}

  /// `inverse_diagonal` (of Op; 0: leave that unknown alone) lives on the device and, as what `transfer`
  /// refers to, outlives this; `coarse` is set up on the first-order matrix.
  void setup(Op& op, const T* inverse_diagonal, Transfer transfer, Coarse& coarse) {
    op_ = &op, coarse_ = &coarse;
    transfer_ = std::move(transfer);
    const index_t n = op.size();
    other_ = dev_.template allocate<T>(n);
    residual_ = dev_.template allocate<T>(n);
    b_ = dev_.template allocate<T>(transfer_.coarse());
    c_ = dev_.template allocate<T>(transfer_.coarse());
    if constexpr (has_rows)
      if (options_.stiff_rows) {
        dev_.for_each(n, DiagonalOfInverse<T>{inverse_diagonal, residual_.data()});
        stiff_.find(dev_, int(n), op.stiff_rows(std::as_const(residual_).data(), amg::stiff_coupling_second));
      }
    refresh(inverse_diagonal);
  }
  /// With an EdgeTransfer of these `vertices` and `parents`.
  void setup(Op& op, const T* inverse_diagonal, int vertices, const int* parents, Coarse& coarse,
             int per_edge = 2) {
    Transfer transfer;
    transfer.make(dev_, op.size(), vertices, parents, per_edge);
    setup(op, inverse_diagonal, std::move(transfer), coarse);
  }

  /// After the operator's values have changed.
  void refresh(const T* inverse_diagonal) {
    inverse_diagonal_ = inverse_diagonal;
    const index_t n = op_->size();
    largest_ = amg::largest_eigenvalue<Device, T>(
        dev_, n, inverse_diagonal, [&](const T* x, const auto& f, double* sums) {
          if constexpr (sums_rows) {
            op_->template then_sum<1>(x, f, sums);
          } else {
            op_->then(x, sparse::Store<T>{residual_.data()});
            dev_.template reduce_to<1>(n, SumStored<T, std::decay_t<decltype(f)>>{residual_.data(), f}, sums);
          }
        });
    if (!(largest_ > 0)) largest_ = 1;
    const double ratio = options_.eigenvalue_ratio > 1 ? options_.eigenvalue_ratio : amg::default_ratio;
    polynomial_ = amg::make_polynomial(
        options_.smoother, amg::degree_beside_stiff(options_, stiff_.rows() > 0), ratio, 1.1 * largest_);
    if constexpr (has_rows)
      stiff_.refill(dev_, op_->stiff_rows(nullptr, 0), inverse_diagonal_, largest_, options_.smoother);
  }

  /// z = one cycle from zero on A z = r; different arrays.
  void apply(const T* r, T* z) {
    const index_t n = op_->size();
    const auto product = [this](const T* x, const auto& f) { op_->then(x, f); };
    // an odd number of exchanges follows, so that the last step lands in z
    T *x = other_.data(), *other = z;
    dev_.for_each(n, amg::FirstStep<T>{r, inverse_diagonal_, x, T(polynomial_.step[0])});
    amg::smooth_from_first(polynomial_, r, inverse_diagonal_, x, other, product);
    stiff_.smooth(dev_, r, x);
    product(x, sparse::StoreResidual<T>{r, residual_.data()});
    transfer_.restrict_to(std::as_const(residual_).data(), b_.data());
    coarse_->apply(std::as_const(b_).data(), c_.data());
    transfer_.add(std::as_const(c_).data(), x);
    stiff_.smooth(dev_, r, x);
    amg::smooth(polynomial_, r, inverse_diagonal_, x, other, product);
  }

  std::size_t bytes() const {
    return transfer_.bytes() + other_.bytes() + residual_.bytes() + b_.bytes() + c_.bytes() + stiff_.bytes();
  }
  /// Rows of the second-order level with the longer polynomial.
  index_t stiff() const { return stiff_.rows(); }
  double largest() const { return largest_; }

 private:
  // asked here: inside a generic lambda nvcc loses the kernels of what it asks for
  static constexpr bool sums_rows =
      requires(const Op& op, const T* x, const amg::LanczosProduct<T>& f, double* s) {
    op.template then_sum<1>(x, f, s);
  };
  static constexpr bool has_rows = requires(const Op& op, const T* d) { op.stiff_rows(d, 0.3); };
  Device& dev_;
  amg::Options options_;
  Op* op_ = nullptr;
  Coarse* coarse_ = nullptr;
  const T* inverse_diagonal_ = nullptr;
  Transfer transfer_;
  typename Device::template Array<T> other_, residual_, b_, c_;
  Stiff stiff_;
  amg::Polynomial polynomial_;
  double largest_ = 1;
};

}  // namespace umov::linalg
