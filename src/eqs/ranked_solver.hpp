// The linear solver of a system whose rows lie with several ranks.
#pragma once

#include <cmath>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "eqs/rank_share.hpp"
#include "eqs/solver_choice.hpp"
#include "eqs/solver_interface.hpp"
#include "linalg/pcg.hpp"
#include "linalg/ranks/hierarchy.hpp"

namespace umov::eqs {

template <class Device>
struct PlainOf;
template <class Device>
struct PlainOf<comm::RankedDevice<Device>> {
  using type = Device;
};

/// Conjugate gradients with multigrid across ranks (linalg/ranks). Elements of second order have those of
/// first order as their next level, by interpolation and Galerkin products (RankShare::nested);
/// preconditioner "amg" has aggregates on all levels. Every member is called by every rank.
template <class Ranked, class T>
class RankedSolver final : public LinearSolver<Ranked> {
  using Device = typename PlainOf<Ranked>::type;

 public:
  RankedSolver(Ranked& dev, const Problem& p)
      : dev_(dev),
        share_(p.share),
        kind_(preconditioner_of(p)),
        options_(p.linear.amg),
        pcg_(dev, p.own_unknowns()),
        r_(dev.template allocate<T>(std::size_t(p.own_unknowns()))),
        z_(dev.template allocate<T>(std::size_t(p.own_unknowns()))) {
    coupling_ = p.order == 1 ? amg::stiff_coupling : amg::stiff_coupling_second;
    nested_ = kind_ == "p-multigrid" || p.order == 1 ? &share_->nested : nullptr;
    if constexpr (sparse::OnHost<Device>) threads_ = sparse::threads_of(dev);
  }

  void renew(const MatrixSet<Ranked>& m, amg::Refresh how) override {
    const auto begin = ScopedTimer::Clock::now();
    const bool first = pattern_.rows.start.empty();
    if (first) {
      take_pattern(m.a);
      product_.build(dev_, pattern_, m.a);
    } else {
      product_.refill(m.a.value);
    }
    ++version_;
    if (kind_ == "jacobi") {
      if (first) inverse_ = dev_.template allocate<T>(r_.size());
      dev_.for_each(product_.size(), InverseOfDiagonal<double, T>{m.a, inverse_.data()});
    } else if (!hierarchy_ || how == amg::Refresh::all) {
      hierarchy_ = std::make_unique<ranks::Hierarchy<Device, T>>(
          dev_, options_, threads_, nested_, ranks::Hierarchy<Device, T>::on_one_rank, coupling_);
      hierarchy_->setup(pattern_, m.a);
    } else {
      hierarchy_->refresh(m.a, how);
    }
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
    if (hierarchy_)
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
    return pcg_.bytes() + r_.bytes() + z_.bytes() + inverse_.bytes() + product_.bytes() +
           (hierarchy_ ? hierarchy_->info().bytes : 0);
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
      for (std::size_t l = 0; l < i.levels.size(); ++l)
        out << (int(l) == hierarchy_->shared_levels() && l > 0 ? " | on rank 0: " : " ")
            << i.levels[l].unknowns;
      out << "; operator complexity " << i.operator_complexity << ", grid complexity " << i.grid_complexity;
    }
    out << "\nlast set-up " << setup_seconds_ << " s";
    if (refresh_seconds_ > 0) out << ", last renewal " << refresh_seconds_ << " s";
    return out.str();
  }

 private:
  void take_pattern(const sparse::CsrView<double>& a) {
    pattern_.own_columns = share_->unknowns;
    pattern_.ghosts = share_->ghosts;
    pattern_.neighbours = share_->neighbours;
    auto& rows = pattern_.rows;
    rows.rows = a.rows, rows.columns = a.columns;
    rows.start.resize(std::size_t(a.rows) + 1);
    dev_.download(rows.start.data(), a.start, rows.start.size());
    rows.column.resize(std::size_t(rows.start.back()));
    if (!rows.column.empty()) dev_.download(rows.column.data(), a.column, rows.column.size());
    rows.value.resize(rows.column.size());
  }

  Ranked& dev_;
  std::shared_ptr<const RankShare> share_;
  std::string kind_;
  amg::Options options_;
  int threads_ = 0;
  double coupling_ = 0;
  const std::vector<ranks::RankedCsr>* nested_ = nullptr;
  linalg::Pcg<Ranked, T> pcg_;
  typename Device::template Array<T> r_, z_, inverse_;
  ranks::RankedCsr pattern_;
  ranks::RankedRows<Device, double> product_;
  std::unique_ptr<ranks::Hierarchy<Device, T>> hierarchy_;
  unsigned long version_ = 0;
  double setup_seconds_ = 0, refresh_seconds_ = 0;
};

}  // namespace umov::eqs
