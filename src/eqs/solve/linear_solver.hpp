// The linear solver of a system: conjugate gradients with the preconditioner that suits the elements.
#pragma once

#include <cmath>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "eqs/model/nested.hpp"
#include "eqs/solve/products.hpp"
#include "eqs/solve/ranked_solver.hpp"
#include "eqs/solve/recorded_solver.hpp"
#include "eqs/solve/solver_choice.hpp"
#include "linalg/amg/hierarchy.hpp"
#include "linalg/p_multigrid.hpp"
#include "linalg/pcg.hpp"

namespace umov::eqs {

/// T is the precision of the preconditioner, Product<Device, V> how it multiplies (products.hpp).
template <class Device, class T, template <class, class> class Product>
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
      inverse_ = dev.template allocate<T>(p.unknowns);
    }
  }

  void renew(const MatrixSet<Device>& m, amg::Refresh how) override {
    const auto begin = ScopedTimer::Clock::now();
    const bool first = !built_;
    built_ = true;
    set_ = m;
    product_.take(dev_, m, first);
    ++version_;  // recorded sequences hold the smoothers' coefficients, which follow the matrix
    if (kind_ == "jacobi")
      product_.inverse_diagonal(inverse_.data());
    else if (kind_ == "amg")
      renew_hierarchy(hierarchy_matrix(), first, how);
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
      dev_.for_each(product_.size(), ByDiagonal<T>{inverse_.data(), r, z});
  }

  void precondition(const double* r, double* z) override {
    // scaled, so that single precision neither under- nor overflows
    const double rr = dev_.template map_reduce<1, double>(product_.size(), linalg::pcg::SquareOf{r}).v[0];
    if (rr == 0) return dev_.fill_zero(z, product_.size());
    const double size = std::sqrt(rr);
    dev_.for_each(product_.size(), ScaledCopy<T>{r, 1 / size, r_.data()});
    apply(std::as_const(r_).data(), z_.data());
    dev_.for_each(product_.size(), ScaledBack<T>{std::as_const(z_).data(), size, z});
  }

  std::size_t bytes() const override {
    return pcg_.bytes() + r_.bytes() + z_.bytes() + inverse_.bytes() + product_.bytes() + fine_.bytes() +
           (hierarchy_ ? hierarchy_->info().bytes : 0) + (p_multigrid_ ? p_multigrid_->bytes() : 0);
  }

  std::string describe() const override {
    std::ostringstream out;
    out << "conjugate gradients with " << kind_ << ", preconditioner in "
        << (sizeof(T) == 4 ? "single" : "double") << " precision";
    if (kind_ != "jacobi" && options_.smoother == amg::Smoother::jacobi)
      out << ", smoothed by Jacobi's method";
    out << product_.describe();
    if (hierarchy_) {
      const auto& i = hierarchy_->info();
      out << "\nlevels:";
      if (p_multigrid_) {
        out << ' ' << product_.size() << " (second order";
        if (p_multigrid_->stiff())
          out << ", " << std::lround(100.0 * p_multigrid_->stiff() / double(product_.size()))
              << " % of the rows stiff";
        out << ')';
      }
      for (const auto& l : i.levels) out << ' ' << l.unknowns;
      out << "; operator complexity " << i.operator_complexity << ", grid complexity " << i.grid_complexity;
    }
    out << "\nlast set-up " << setup_seconds_ << " s";
    if (refresh_seconds_ > 0) out << ", last renewal " << refresh_seconds_ << " s";
    return out.str();
  }

 private:
  /// Of smoothed aggregation: without a matrix of its own the solver has that of first-order elements only.
  const sparse::CsrView<double>& hierarchy_matrix() const {
    return kind_ == "amg" && set_.a.start ? set_.a : set_.first_order;
  }
  void renew_hierarchy(const sparse::CsrView<double>& a, bool first, amg::Refresh how) {
    if (first || how == amg::Refresh::all) {
      hierarchy_ = std::make_unique<amg::Hierarchy<Device, T>>(dev_, options_, nested_.get());
      hierarchy_->setup(a);
    } else {
      hierarchy_->refresh(a, how);
    }
  }

  void renew_p_multigrid(bool first, amg::Refresh how) {
    fine_.take(dev_, set_, first);
    fine_.inverse_diagonal(inverse_.data());
    if (first || how != amg::Refresh::finest) renew_hierarchy(hierarchy_matrix(), first, how);
    if (first || how == amg::Refresh::all) {
      p_multigrid_ = std::make_unique<linalg::PMultigrid<Device, T, Product<Device, T>>>(dev_, options_);
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
  MatrixSet<Device> set_;
  Product<Device, double> product_;
  Product<Device, T> fine_;  // second order: what the smoother multiplies with
  typename Device::template Array<T> r_, z_, inverse_;
  std::unique_ptr<amg::Hierarchy<Device, T>> hierarchy_;
  std::unique_ptr<linalg::PMultigrid<Device, T, Product<Device, T>>> p_multigrid_;
  bool built_ = false;
  unsigned long version_ = 0;
  double setup_seconds_ = 0, refresh_seconds_ = 0;
};

/// make_solver without anybody who records.
template <class Device>
std::unique_ptr<LinearSolver<Device>> make_plain_solver(Device& dev, const Problem& p,
                                                        std::shared_ptr<const amg::Nested> nested) {
  const bool single = p.linear.amg.single_precision;
  if constexpr (comm::is_ranked<Device>) {
    if (matrix_free(p)) {
      if (single) return std::make_unique<RankedSolver<Device, float, RankedElements>>(dev, p);
      return std::make_unique<RankedSolver<Device, double, RankedElements>>(dev, p);
    }
    if (single) return std::make_unique<RankedSolver<Device, float, RankedAssembled>>(dev, p);
    return std::make_unique<RankedSolver<Device, double, RankedAssembled>>(dev, p);
  } else {
    if (matrix_free(p)) {
      if (single) return std::make_unique<SolverOn<Device, float, ElementForm>>(dev, p, nested);
      return std::make_unique<SolverOn<Device, double, ElementForm>>(dev, p, nested);
    }
    if (single) return std::make_unique<SolverOn<Device, float, AssembledForm>>(dev, p, nested);
    return std::make_unique<SolverOn<Device, double, AssembledForm>>(dev, p, nested);
  }
}

/// `nested`: as nested_prolongations(p) has them; null: aggregates on all levels.
template <class Device>
std::unique_ptr<LinearSolver<Device>> make_solver(Device& dev, const Problem& p,
                                                  std::shared_ptr<const amg::Nested> nested) {
  auto solver = make_plain_solver(dev, p, std::move(nested));
  if constexpr (!comm::is_ranked<Device>) {
    if (p.systems) return std::make_unique<RecordedSolver<Device>>(dev, *p.systems, std::move(solver));
  }
  return solver;
}

}  // namespace umov::eqs
