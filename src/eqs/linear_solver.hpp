// The linear solver of a system: conjugate gradients with the preconditioner that suits the elements.
#pragma once

#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "eqs/nested.hpp"
#include "eqs/problem.hpp"
#include "linalg/amg/hierarchy.hpp"
#include "linalg/p_multigrid.hpp"
#include "linalg/pcg.hpp"

namespace umov::eqs {

/// The matrix to solve with, on the device; for p-multigrid also the one of first-order elements on the same
/// mesh and, per further unknown, the two vertex unknowns beside it.
struct MatrixSet {
  sparse::CsrView<double> a, first_order;
  const int* parents = nullptr;
  int per_edge = 2;
};

/// Which preconditioner: that of `LinearSpec`, "auto" resolved.
inline std::string preconditioner_of(const Problem& p) {
  if (p.linear.preconditioner == "p-multigrid" && p.order == 1) return "amg";
  if (p.linear.preconditioner != "auto") return p.linear.preconditioner;
  return p.order == 1 ? "amg" : "p-multigrid";
}

template <class Device>
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  /// The matrix has changed: what is redone of the preconditioner.
  virtual void renew(const MatrixSet&, amg::Refresh) = 0;
  /// A x = b to |b - A x| <= tolerance |b|, from zero or from what x holds.
  virtual amg::SolveInfo solve(const double* b, double* x, double tolerance, int max_iterations,
                               bool from_zero = true) = 0;
  /// y = A x.
  virtual void multiply(const double* x, double* y) = 0;
  /// z = P^-1 r, for other iterations.
  virtual void precondition(const double* r, double* z) = 0;
  virtual std::size_t bytes() const = 0;
  virtual std::string describe() const = 0;
};

template <class To>
struct ScaledCopy {
  const double* from;
  double scale;
  To* to;
  UMOV_HD void operator()(index_t i) const { to[i] = To(from[i] * scale); }
};
template <class From>
struct ScaledBack {
  const From* from;
  double scale;
  double* to;
  UMOV_HD void operator()(index_t i) const { to[i] = double(from[i]) * scale; }
};

/// Functors of the Jacobi preconditioner.
template <class T>
struct InverseOfDiagonal {
  sparse::CsrView<double> a;
  T* inverse;
  UMOV_HD void operator()(index_t i) const {
    double d = 0;
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      if (a.column[k] == i) d = a.value[k];
    inverse[i] = d > 0 ? T(1 / d) : T(0);
  }
};
template <class T>
struct ByDiagonal {
  const T *inverse, *r;
  T* z;
  UMOV_HD void operator()(index_t i) const { z[i] = inverse[i] * r[i]; }
};

/// T is the precision of the preconditioner.
template <class Device, class T>
class SolverOn final : public LinearSolver<Device> {
 public:
  SolverOn(Device& dev, const Problem& p, std::shared_ptr<const amg::Nested> nested)
      : dev_(dev),
        kind_(preconditioner_of(p)),
        options_(p.linear.amg),
        nested_(std::move(nested)),
        pcg_(dev, p.unknowns),
        check_every_(1) {
    if constexpr (requires { Device::solver_check_every; }) check_every_ = Device::solver_check_every;
    r_ = dev.template allocate<T>(p.unknowns);
    z_ = dev.template allocate<T>(p.unknowns);
    if (kind_ == "jacobi" || kind_ == "p-multigrid") {
      diagonal_ = dev.template allocate<T>(p.unknowns);
      inverse_ = dev.template allocate<T>(p.unknowns);
    }
  }

  void renew(const MatrixSet& m, amg::Refresh how) override {
    const auto begin = ScopedTimer::Clock::now();
    const bool first = !product_.built;
    set_ = m;
    if (first)
      product_.rows.build(dev_, m.a);
    else
      product_.rows.refill(dev_, m.a);
    product_.built = true;
    product_.dev = &dev_;
    product_.n = m.a.rows;
    ++version_;  // recorded sequences hold the smoothers' coefficients, which follow the matrix
    if (kind_ == "jacobi")
      dev_.for_each(m.a.rows, InverseOfDiagonal<T>{m.a, inverse_.data()});
    else if (kind_ == "amg")
      renew_hierarchy(m.a, first, how);
    else
      renew_p_multigrid(first, how);
    const double seconds = std::chrono::duration<double>(ScopedTimer::Clock::now() - begin).count();
    (first || how == amg::Refresh::all ? setup_seconds_ : refresh_seconds_) = seconds;
  }

  amg::SolveInfo solve(const double* b, double* x, double tolerance, int max_iterations,
                       bool from_zero) override {
    linalg::PcgSettings s;
    s.tolerance = tolerance;
    s.max_iterations = max_iterations;
    s.check_every = check_every_;
    s.from_zero = from_zero;
    s.version = version_;
    return pcg_.solve(product_, *this, b, x, s);
  }

  void multiply(const double* x, double* y) override { product_.apply(x, y); }

  /// As Pcg calls it.
  void apply(const T* r, T* z) {
    if (kind_ == "amg")
      hierarchy_->apply(r, z);
    else if (kind_ == "p-multigrid")
      p_multigrid_->apply(r, z);
    else
      dev_.for_each(product_.n, ByDiagonal<T>{inverse_.data(), r, z});
  }

  void precondition(const double* r, double* z) override {
    // scaled, so that single precision neither under- nor overflows
    const double rr = dev_.template map_reduce<1, double>(product_.n, linalg::pcg::SquareOf{r}).v[0];
    if (rr == 0) return dev_.fill_zero(z, product_.n);
    const double size = std::sqrt(rr);
    dev_.for_each(product_.n, ScaledCopy<T>{r, 1 / size, r_.data()});
    apply(std::as_const(r_).data(), z_.data());
    dev_.for_each(product_.n, ScaledBack<T>{std::as_const(z_).data(), size, z});
  }

  std::size_t bytes() const override {
    return pcg_.bytes() + r_.bytes() + z_.bytes() + diagonal_.bytes() + inverse_.bytes() +
           product_.rows.bytes() + values_.bytes() + fine_.rows.bytes() +
           (hierarchy_ ? hierarchy_->info().bytes : 0) + (p_multigrid_ ? p_multigrid_->bytes() : 0);
  }

  std::string describe() const override {
    std::ostringstream out;
    out << "conjugate gradients with " << kind_ << ", preconditioner in "
        << (sizeof(T) == 4 ? "single" : "double") << " precision";
    if (kind_ != "jacobi" && options_.smoother == amg::Smoother::jacobi)
      out << ", smoothed by Jacobi's method";
    if (hierarchy_) {
      const auto& i = hierarchy_->info();
      out << "\nlevels:";
      if (p_multigrid_) out << ' ' << product_.n << " (second order)";
      for (const auto& l : i.levels) out << ' ' << l.unknowns;
      out << "; operator complexity " << i.operator_complexity << ", grid complexity " << i.grid_complexity;
    }
    out << "\nlast set-up " << setup_seconds_ << " s";
    if (refresh_seconds_ > 0) out << ", last renewal " << refresh_seconds_ << " s";
    return out.str();
  }

 private:
  template <class V>
  struct Product {
    sparse::FastRows<Device, V> rows;
    Device* dev = nullptr;
    index_t n = 0;
    bool built = false;
    index_t size() const { return n; }
    template <class F>
    void then(const V* x, const F& f) const {
      rows.then(*dev, x, f);
    }
    template <int K, class F>
    void then_sum(const V* x, const F& f, double* sums) const {
      rows.template then_sum<K>(*dev, x, f, sums);
    }
    void apply(const V* x, V* y) const { then(x, sparse::Store<V>{y}); }
    void apply_dot(const V* x, V* y, double* sums) const { then_sum<1>(x, sparse::StoreDot<V>{x, y}, sums); }
  };
  void renew_hierarchy(const sparse::CsrView<double>& a, bool first, amg::Refresh how) {
    if (first || how == amg::Refresh::all) {
      hierarchy_ = std::make_unique<amg::Hierarchy<Device, T>>(dev_, options_, nested_.get());
      hierarchy_->setup(a);
    } else {
      hierarchy_->refresh(a, how);
    }
  }

  void renew_p_multigrid(bool first, amg::Refresh how) {
    const auto& a = set_.a;
    if (first) fine_.dev = &dev_, fine_.n = a.rows;
    sparse::CsrView<T> view{a.rows, a.columns, a.start, a.column, nullptr, a.entries};
    if constexpr (sizeof(T) == sizeof(double)) {
      view.value = a.value;
    } else {
      if (first) values_ = dev_.template allocate<T>(a.entries);
      dev_.for_each(a.entries, sparse::Convert<double, T>{a.value, values_.data()});
      view.value = std::as_const(values_).data();
    }
    if (first)
      fine_.rows.build(dev_, view);
    else
      fine_.rows.refill(dev_, view);
    dev_.for_each(a.rows, amg::InvertDiagonal<T>{view, diagonal_.data(), inverse_.data()});
    if (first || how != amg::Refresh::finest) renew_hierarchy(set_.first_order, first, how);
    if (first || how == amg::Refresh::all) {
      p_multigrid_ = std::make_unique<linalg::PMultigrid<Device, T, Product<T>>>(dev_, options_);
      p_multigrid_->setup(fine_, std::as_const(inverse_).data(), set_.first_order.rows, set_.parents,
                          *hierarchy_, set_.per_edge);
    } else {
      p_multigrid_->refresh(std::as_const(inverse_).data());
    }
  }

  Device& dev_;
  std::string kind_;
  amg::Options options_;
  std::shared_ptr<const amg::Nested> nested_;
  linalg::Pcg<Device, T> pcg_;
  int check_every_;
  MatrixSet set_;
  Product<double> product_;
  Product<T> fine_;  // second order: what the smoother multiplies with
  typename Device::template Array<T> r_, z_, diagonal_, inverse_, values_;
  std::unique_ptr<amg::Hierarchy<Device, T>> hierarchy_;
  std::unique_ptr<linalg::PMultigrid<Device, T, Product<T>>> p_multigrid_;
  unsigned long version_ = 0;
  double setup_seconds_ = 0, refresh_seconds_ = 0;
};

/// `nested`: as nested_prolongations(p) has them; null: aggregates on all levels.
template <class Device>
std::unique_ptr<LinearSolver<Device>> make_solver(Device& dev, const Problem& p,
                                                  std::shared_ptr<const amg::Nested> nested) {
  if (p.linear.amg.single_precision) return std::make_unique<SolverOn<Device, float>>(dev, p, nested);
  return std::make_unique<SolverOn<Device, double>>(dev, p, nested);
}

}  // namespace umov::eqs
