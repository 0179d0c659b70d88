// The linear solver of a system whose rows lie with several ranks.
#pragma once

#include <cmath>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "eqs/solve/ranked_products.hpp"
#include "eqs/solve/solver_choice.hpp"
#include "eqs/solve/solver_interface.hpp"
#include "linalg/p_multigrid.hpp"
#include "linalg/pcg.hpp"
#include "linalg/ranks/hierarchy.hpp"
#include "linalg/ranks/transfer.hpp"

namespace umov::eqs {

/// Conjugate gradients with multigrid across ranks (linalg/ranks). With the matrix in rows, elements of
/// second order have those of first order as their next level, by interpolation and Galerkin products
/// (RankShare::nested); without it, linalg::PMultigrid has the matrix of first-order elements. Preconditioner
/// "amg" has aggregates on all levels. Every member is called by every rank. Product: ranked_products.hpp.
template <class Ranked, class T, template <class, class> class Product>
class RankedSolver final : public LinearSolver<Ranked> {
  using Device = typename PlainOf<Ranked>::type;
  static constexpr bool free = Product<Ranked, T>::free;

 public:
  RankedSolver(Ranked& dev, const Problem& p)
      : dev_(dev),
        share_(p.share),
        kind_(preconditioner_of(p)),
        options_(p.linear.amg),
        on_vertices_(free && p.order == 2),
        pcg_(dev, p.own_unknowns()),
        r_(dev.template allocate<T>(std::size_t(p.own_unknowns()))),
        z_(dev.template allocate<T>(std::size_t(p.own_unknowns()))) {
    coupling_ = p.order == 1 || free ? amg::stiff_coupling : amg::stiff_coupling_second;
    if (on_vertices_) {
      if (!share_->nested.empty()) nested_own_.assign(share_->nested.begin() + 1, share_->nested.end());
      nested_ = &nested_own_;
    } else if (kind_ == "p-multigrid" || p.order == 1) {
      nested_ = &share_->nested;
    }
  }

  void renew(const MatrixSet<Ranked>& m, amg::Refresh how) override {
    const auto begin = ScopedTimer::Clock::now();
    const bool first = !built_;
    built_ = true;
    product_.take(dev_, m, *share_);
    ++version_;
    if (first) everywhere_ = comm::sum(dev_.comm(), product_.size());
    if (first && (kind_ == "jacobi" || on_vertices_)) inverse_ = dev_.template allocate<T>(r_.size());
    if (kind_ == "jacobi")
      product_.inverse_diagonal(inverse_.data());
    else if (on_vertices_)
      renew_p_multigrid(m, first, how);
    else
      renew_hierarchy(matrix_of(m), first, how);
    const double seconds = std::chrono::duration<double>(ScopedTimer::Clock::now() - begin).count();
    (first || how == amg::Refresh::all ? setup_seconds_ : refresh_seconds_) = seconds;
  }

  amg::SolveInfo solve(const double* b, double* x, double tolerance, int max_iterations,
                       bool from_zero) override {
    linalg::PcgSettings s;
    s.tolerance = tolerance;
    s.max_iterations = max_iterations;
    s.from_zero = from_zero;
    s.version = version_;
    return pcg_.solve(product_, *this, b, x, s);
  }
  void multiply(const double* x, double* y) override { product_.apply(x, y); }

  /// As Pcg calls it.
  void apply(const T* r, T* z) {
    if (on_vertices_ && hierarchy_)
      p_multigrid_->apply(r, z);
    else if (hierarchy_)
      hierarchy_->apply(r, z);
    else
      dev_.for_each(product_.size(), ByDiagonal<T>{inverse_.data(), r, z});
  }
  void precondition(const double* r, double* z) override {
    const index_t n = product_.size();
    const double rr = dev_.template map_reduce<1, double>(n, linalg::pcg::SquareOf{r}).v[0];
    if (rr == 0) return dev_.fill_zero(z, std::size_t(n));
    const double size = std::sqrt(rr);
    dev_.for_each(n, ScaledCopy<T>{r, 1 / size, r_.data()});
    apply(std::as_const(r_).data(), z_.data());
    dev_.for_each(n, ScaledBack<T>{std::as_const(z_).data(), size, z});
  }

  std::size_t bytes() const override {
    std::size_t more = 0;
    if constexpr (free) more = fine_.bytes() + (p_multigrid_ ? p_multigrid_->bytes() : 0);
    return pcg_.bytes() + r_.bytes() + z_.bytes() + inverse_.bytes() + product_.bytes() + column_.bytes() +
           more + (hierarchy_ ? hierarchy_->info().bytes : 0);
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
      if (on_vertices_) {
        out << ' ' << everywhere_ << " (second order";
        if (p_multigrid_->stiff())
          out << ", " << std::lround(100.0 * double(p_multigrid_->stiff()) / double(everywhere_))
              << " % of the rows stiff";
        out << ')';
      }
      const auto& where = hierarchy_->ranks_of_levels();
      int before = dev_.comm().size();
      for (std::size_t l = 0; l < i.levels.size(); ++l) {
        if (where[l] != std::exchange(before, where[l]) && (l > 0 || on_vertices_))
          out << " | on " << (where[l] == 1 ? std::string("rank 0") : std::to_string(where[l]) + " ranks")
              << ':';
        out << ' ' << i.levels[l].unknowns;
      }
      out << "; operator complexity " << i.operator_complexity << ", grid complexity " << i.grid_complexity;
    }
    out << "\nlast set-up " << setup_seconds_ << " s";
    if (refresh_seconds_ > 0) out << ", last renewal " << refresh_seconds_ << " s";
    return out.str();
  }

 private:
  using PMultigrid = linalg::PMultigrid<Ranked, T, RankedElements<Ranked, T>, ranks::Hierarchy<Device, T>,
                                        ranks::Transfer<Device, T>, ranks::RankedStiff<Device, T>>;

  /// What the hierarchy is made of; its columns are in columns_ then.
  sparse::CsrView<double> matrix_of(const MatrixSet<Ranked>& m) {
    if constexpr (!free) {
      if (!hierarchy_) columns_ = columns_of(*share_);
      return m.a;
    } else {
      sparse::CsrView<double> a = m.first_order;
      if (!hierarchy_) {
        std::vector<int> number;
        columns_ = columns_of_vertices(dev_.comm(), *share_, number);
        const auto there = ranks::put(dev_.alone(), number);
        int entries = 0;
        dev_.download(&entries, a.start + a.rows, 1);
        column_ = dev_.template allocate<int>(std::size_t(entries));
        dev_.for_each(entries, ColumnOfVertex{share_->unknowns, there.data(), a.column, column_.data()});
        dev_.synchronize();  // the numbers go
      }
      a.column = std::as_const(column_).data();
      a.columns = columns_.columns();
      return a;
    }
  }
  void renew_hierarchy(const sparse::CsrView<double>& a, bool first, amg::Refresh how) {
    if (!first && how != amg::Refresh::all) return hierarchy_->refresh(a, how);
    hierarchy_ = std::make_unique<ranks::Hierarchy<Device, T>>(
        dev_, options_, nested_, ranks::default_least_share<Device>(), coupling_);
    hierarchy_->setup(columns_, a);
  }
  void renew_p_multigrid(const MatrixSet<Ranked>& m, bool first, amg::Refresh how) {
    if constexpr (free) {
      fine_.take(dev_, m, *share_);
      fine_.inverse_diagonal(inverse_.data());
      if (first || how != amg::Refresh::finest) renew_hierarchy(matrix_of(m), first, how);
      if (first || how == amg::Refresh::all) {
        ranks::Transfer<Device, T> transfer;
        transfer.make(dev_, share_->nested.front());
        p_multigrid_ = std::make_unique<PMultigrid>(dev_, options_);
        p_multigrid_->setup(fine_, std::as_const(inverse_).data(), std::move(transfer), *hierarchy_);
      } else {
        p_multigrid_->refresh(std::as_const(inverse_).data());
      }
    }
  }

  Ranked& dev_;
  std::shared_ptr<const RankShare> share_;
  std::string kind_;
  amg::Options options_;
  bool on_vertices_, built_ = false;
  double coupling_ = 0;
  index_t everywhere_ = 0;
  std::vector<ranks::RankedCsr> nested_own_;
  const std::vector<ranks::RankedCsr>* nested_ = nullptr;
  linalg::Pcg<Ranked, T> pcg_;
  typename Device::template Array<T> r_, z_, inverse_;
  typename Device::template Array<int> column_;  // of first-order elements among vertices
  ranks::RankedColumns columns_;
  Product<Ranked, double> product_;
  RankedElements<Ranked, T> fine_;  // second order without its matrix: what the smoother multiplies with
  std::unique_ptr<ranks::Hierarchy<Device, T>> hierarchy_;
  std::unique_ptr<PMultigrid> p_multigrid_;
  unsigned long version_ = 0;
  double setup_seconds_ = 0, refresh_seconds_ = 0;
};

}  // namespace umov::eqs
