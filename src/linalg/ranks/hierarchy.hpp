// The multigrid preconditioner across ranks: aggregates inside ranks, Galerkin products and V-cycles across,
// and the coarse levels on one rank.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/timer.hpp"
#include "linalg/amg/hierarchy.hpp"
#include "linalg/ranks/coarsen.hpp"
#include "linalg/ranks/ranked_stiff.hpp"

namespace umov::ranks {

/// As amg::Hierarchy, of the same levels' kinds, options and smoothers. Levels are set up on the host, in
/// double. Every member is called by every rank.
template <class Device, class T>
class Hierarchy {
  using Ranked = comm::RankedDevice<Device>;

 public:
  /// Unknowns of all ranks at which a level moves to rank 0: a product there takes what a message takes.
  static constexpr index_t on_one_rank = 4000;

  /// `nested`: prolongations of the first levels; must outlive it, may be null. `threads` of each rank.
  /// `finest_coupling`: from where on a row of the finest level is stiff; another one than first order's is
  /// second order's.
  Hierarchy(Ranked& dev, const amg::Options& options, int threads,
            const std::vector<RankedCsr>* nested = nullptr, index_t one_rank_at = on_one_rank,
            double finest_coupling = amg::stiff_coupling)
      : dev_(dev),
        options_(options),
        threads_(threads),
        nested_(nested),
        one_rank_at_(one_rank_at),
        finest_coupling_(finest_coupling) {}

  /// `pattern`: the matrix' rows with any values; `on_device`: the same with the ones that count, which stay
  /// where they are.
  void setup(const RankedCsr& pattern, const sparse::CsrView<double>& on_device) {
    const auto begin = ScopedTimer::Clock::now();
    levels_.clear();
    bottom_.reset();
    levels_.emplace_back(std::make_unique<Level>());
    levels_[0]->host = pattern;
    take_values(on_device);
    levels_[0]->a.build(dev_, pattern, on_device);
    prepare(*levels_[0]);
    while (grow())
      ;
    make_bottom(amg::Refresh::all);
    finish();
    info_.seconds = std::chrono::duration<double>(ScopedTimer::Clock::now() - begin).count();
  }
  void refresh(const sparse::CsrView<double>& on_device, amg::Refresh how) {
    if (how == amg::Refresh::all) {
      const RankedCsr pattern = std::move(levels_[0]->host);
      return setup(pattern, on_device);
    }
    const auto begin = ScopedTimer::Clock::now();
    take_values(on_device);
    levels_[0]->a.refill(on_device.value);
    prepare(*levels_[0]);
    if (how == amg::Refresh::galerkin) {
      for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
        levels_[l + 1]->host = coarse_of(*levels_[l]);
        levels_[l + 1]->a.refill(levels_[l + 1]->host);
        prepare(*levels_[l + 1]);
      }
      make_bottom(how);
    }
    info_.seconds = std::chrono::duration<double>(ScopedTimer::Clock::now() - begin).count();
  }

  /// z = V-cycle from zero on A z = r; different arrays.
  void apply(const T* r, T* z) {
    if (levels_.size() == 1) return solve_bottom(r, z);
    Level& top = *levels_[0];
    T *x = top.other.data(), *other = z;
    dev_.for_each(top.n(), amg::FirstStep<T>{r, top.inverse_diagonal.data(), x, T(top.polynomial.step[0])});
    cycle(0, r, x, other);
  }

  /// Of all ranks, but for `bytes`.
  const amg::SetupInfo& info() const { return info_; }
  index_t unknowns() const { return levels_.empty() ? 0 : levels_[0]->everywhere; }
  /// Levels that lie with all ranks; those behind them are rank 0's.
  int shared_levels() const { return int(levels_.size()) - 1; }

 private:
  struct Level {
    RankedCsr host, host_p, host_r;
    RankedRows<Device, T> a, p, r;
    typename Device::template Array<T> inverse_diagonal, x, other, b, residual;
    amg::Polynomial polynomial;
    RankedStiff<Device, T> stiff;
    double largest = 0;
    index_t everywhere = 0, entries = 0;
    bool prepared = false;
    index_t n() const { return host.rows.rows; }
  };

  void take_values(const sparse::CsrView<double>& on_device) {
    auto& value = levels_[0]->host.rows.value;
    value.resize(levels_[0]->host.rows.column.size());
    if (!value.empty()) dev_.download(value.data(), on_device.value, value.size());
  }

  /// Diagonal, spectrum and smoother of a level whose matrix is there.
  void prepare(Level& level) {
    const int n = int(level.n());
    const auto& rows = level.host.rows;
    std::vector<double> inverse(std::size_t(n), 0.0);
    for (int i = 0; i < n; ++i)
      for (int k = rows.start[i]; k < rows.start[i + 1]; ++k)
        if (rows.column[k] == i && rows.value[k] > 0) inverse[std::size_t(i)] = 1 / rows.value[k];
    if (!level.prepared) {
      level.inverse_diagonal = dev_.template allocate<T>(std::size_t(n));
      level.everywhere = comm::sum(dev_.comm(), level.n());
      level.entries = comm::sum(dev_.comm(), index_t(rows.column.size()));
      if (options_.stiff_rows)
        level.stiff.find(dev_, level.host, levels_.size() == 1 ? finest_coupling_ : amg::stiff_coupling);
      level.prepared = true;
    }
    const std::vector<T> own(inverse.begin(), inverse.end());
    dev_.upload(level.inverse_diagonal.data(), own.data(), own.size());
    level.largest = amg::largest_eigenvalue<Ranked, T>(
        dev_, n, std::as_const(level.inverse_diagonal).data(),
        [&](const T* x, const auto& f, double* sums) { level.a.template then_sum<1>(x, f, sums); });
    if (!(level.largest > 0)) level.largest = 1;
    const double ratio = options_.eigenvalue_ratio > 1 ? options_.eigenvalue_ratio : amg::default_ratio;
    const bool second_order = &level == levels_[0].get() && finest_coupling_ != amg::stiff_coupling;
    level.polynomial = amg::make_polynomial(
        options_.smoother, amg::degree_beside_stiff(options_, second_order && level.stiff.rows() > 0), ratio,
        1.1 * level.largest);
    level.stiff.refill(dev_, level.host, inverse, level.largest, options_.smoother);
  }

  RankedCsr coarse_of(const Level& fine) {
    return multiply(dev_.comm(), fine.host_r, multiply(dev_.comm(), fine.host, fine.host_p, threads_),
                    threads_);
  }

  bool grow() {
    Level& fine = *levels_.back();
    const std::size_t l = levels_.size() - 1, nested = nested_ ? nested_->size() : 0;
    if ((fine.everywhere <= one_rank_at_ && l >= nested) || int(levels_.size()) >= options_.max_levels)
      return false;
    if (l < nested) {
      fine.host_p = (*nested_)[l];
    } else {
      const double theta = options_.strength * std::pow(0.5, double(l - nested));
      fine.host_p = smoothed_prolongation(dev_.comm(), fine.host, theta, fine.largest, threads_);
      if (comm::sum(dev_.comm(), index_t(fine.host_p.own_columns)) == 0) return false;
    }
    fine.host_r = transpose(dev_.comm(), fine.host_p);
    fine.p.build(dev_, fine.host_p);
    fine.r.build(dev_, fine.host_r);
    auto coarse = std::make_unique<Level>();
    coarse->host = coarse_of(fine);
    coarse->a.build(dev_, coarse->host);
    levels_.push_back(std::move(coarse));
    prepare(*levels_.back());
    return true;
  }

  /// The last level on rank 0, and what is below it there.
  void make_bottom(amg::Refresh how) {
    auto& comm = dev_.comm();
    const Level& last = *levels_.back();
    const auto counts = comm::all_gather(comm, last.n());
    const auto whole = ranks::gather(comm, last.host);
    if (how == amg::Refresh::all) {
      share_.assign(counts.begin(), counts.end());
      if (comm.first()) {
        amg::Options options = options_;
        const std::size_t nested = nested_ ? nested_->size() : 0, l = levels_.size() - 1;
        options.strength *= std::pow(0.5, double(l > nested ? l - nested : 0));
        options.max_levels = std::max(1, options_.max_levels - int(l));
        gathered_ = sparse::upload<double>(dev_.alone(), whole);
        bottom_ = std::make_unique<amg::Hierarchy<Device, T>>(dev_.alone(), options);
        bottom_->setup(std::as_const(gathered_).view());
        bottom_r_ = dev_.template allocate<T>(std::size_t(whole.rows));
        bottom_z_ = dev_.template allocate<T>(std::size_t(whole.rows));
      }
    } else if (comm.first()) {
      dev_.upload(gathered_.value.data(), whole.value.data(), whole.value.size());
      bottom_->refresh(std::as_const(gathered_).view(), how);
    }
  }

  void finish() {
    info_ = {};
    index_t unknowns = 0, entries = 0;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      Level& v = *levels_[l];
      const std::size_t n = std::size_t(v.n());
      for (auto* list : {&v.other, &v.residual}) *list = dev_.template allocate<T>(n);
      if (l > 0)
        for (auto* list : {&v.x, &v.b}) *list = dev_.template allocate<T>(n);
      info_.bytes += v.a.bytes() + v.p.bytes() + v.r.bytes() + v.inverse_diagonal.bytes() + v.x.bytes() +
                     v.other.bytes() + v.b.bytes() + v.residual.bytes() + v.stiff.bytes();
      if (l + 1 == levels_.size()) break;  // the bottom's first level
      info_.levels.push_back({int(v.everywhere), v.entries, int(v.stiff.rows())});
    }
    std::vector<amg::LevelInfo> more;
    if (bottom_) more = bottom_->info().levels, info_.bytes += bottom_->info().bytes;
    comm::broadcast(dev_.comm(), more);
    info_.levels.insert(info_.levels.end(), more.begin(), more.end());
    for (const auto& v : info_.levels) unknowns += v.unknowns, entries += v.entries;
    info_.grid_complexity = double(unknowns) / double(std::max<index_t>(1, levels_[0]->everywhere));
    info_.operator_complexity = double(entries) / double(std::max<index_t>(1, levels_[0]->entries));
  }

  void solve_bottom(const T* b, T* x) {
    auto& comm = dev_.comm();
    const std::size_t own = std::size_t(levels_.back()->n());
    std::vector<comm::Out> outs;
    std::vector<comm::In> ins;
    const auto parts = [&](T* whole, const auto& take) {
      for (int r = 0; r < comm.size(); ++r) {
        take(r, whole, std::size_t(share_[std::size_t(r)]));
        whole += share_[std::size_t(r)];
      }
    };
    outs.push_back(comm::out(0, b, own));
    if (comm.first())
      parts(bottom_r_.data(), [&](int r, T* at, std::size_t n) { ins.push_back(comm::in(r, at, n)); });
    dev_.channel().exchange(outs, ins);
    outs.clear(), ins.clear();
    if (comm.first()) {
      bottom_->apply(std::as_const(bottom_r_).data(), bottom_z_.data());
      parts(bottom_z_.data(),
            [&](int r, T* at, std::size_t n) { outs.push_back(comm::out(r, static_cast<const T*>(at), n)); });
    }
    ins.push_back(comm::in(0, x, own));
    dev_.channel().exchange(outs, ins);
  }

  /// From x_1 (first step done) in `x`; the result ends in what was `other`.
  void cycle(std::size_t l, const T* b, T* x, T* other) {
    Level &fine = *levels_[l], &coarse = *levels_[l + 1];
    const auto product = [&](const T* v, const auto& f) { fine.a.then(v, f); };
    const T* inverse = std::as_const(fine.inverse_diagonal).data();
    amg::smooth_from_first(fine.polynomial, b, inverse, x, other, product);
    fine.stiff.smooth(dev_, b, x);
    product(x, sparse::StoreResidual<T>{b, fine.residual.data()});
    const T* correction = nullptr;
    if (l + 2 == levels_.size()) {
      fine.r.then(std::as_const(fine.residual).data(), sparse::Store<T>{coarse.b.data()});
      solve_bottom(std::as_const(coarse.b).data(), coarse.x.data());
      correction = coarse.x.data();
    } else {
      fine.r.then(std::as_const(fine.residual).data(),
                  amg::RestrictAndStep<T>{std::as_const(coarse.inverse_diagonal).data(), coarse.b.data(),
                                          coarse.x.data(), T(coarse.polynomial.step[0])});
      cycle(l + 1, std::as_const(coarse.b).data(), coarse.x.data(), coarse.other.data());
      correction = coarse.other.data();
    }
    fine.p.then(correction, sparse::StoreSum<T>{x});
    fine.stiff.smooth(dev_, b, x);
    amg::smooth(fine.polynomial, b, inverse, x, other, product);
  }

  Ranked& dev_;
  amg::Options options_;
  int threads_;
  const std::vector<RankedCsr>* nested_;
  index_t one_rank_at_;
  double finest_coupling_;
  std::vector<std::unique_ptr<Level>> levels_;
  std::vector<index_t> share_;  // of the last level, by rank
  sparse::Csr<Device, double> gathered_;
  std::unique_ptr<amg::Hierarchy<Device, T>> bottom_;
  typename Device::template Array<T> bottom_r_, bottom_z_;
  amg::SetupInfo info_;
};

}  // namespace umov::ranks
