// The multigrid preconditioner across ranks: aggregates inside ranks, Galerkin products and V-cycles across,
// and the coarse levels on fewer ranks, then on one.
#pragma once

#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/timer.hpp"
#include "linalg/amg/hierarchy.hpp"
#include "linalg/ranks/coarsen.hpp"
#include "linalg/ranks/fewer.hpp"
#include "linalg/ranks/ranked_stiff.hpp"

namespace umov::ranks {

/// Unknowns that each rank should have of a level: with fewer, a product takes about as long as its messages.
/// A GPU needs 35 microseconds for an exchange, in which it multiplies rows with some 100 thousand unknowns.
/// UMOV_LEAST_SHARE in the environment has the word, to measure.
template <class Device>
index_t default_least_share() {
  if (const char* given = std::getenv("UMOV_LEAST_SHARE"); given && std::atol(given) > 0)
    return std::atol(given);
  return sparse::OnHost<Device> ? 2000 : 100000;
}

/// As amg::Hierarchy, of the same levels' kinds, options and smoothers, set up on the ranks' devices; of the
/// patterns only what borders on other ranks passes through host memory. Every member is called by every
/// rank.
template <class Device, class T>
class Hierarchy {
  using Ranked = comm::RankedDevice<Device>;

 public:
  /// `nested`: prolongations of the first levels; must outlive it, may be null. `least_share`: unknowns of a
  /// level that each rank should have; a level of fewer moves to every other rank, and so on.
  /// `finest_coupling`: from where on a row of the finest level is stiff; another one than first order's is
  /// second order's.
  Hierarchy(Ranked& dev, const amg::Options& options, const std::vector<RankedCsr>* nested = nullptr,
            index_t least_share = default_least_share<Device>(), double finest_coupling = amg::stiff_coupling)
      : dev_(dev),
        options_(options),
        nested_(nested),
        least_share_(least_share),
        finest_coupling_(finest_coupling) {}

  /// `a`: the rank's rows, which stay where they are, with these columns.
  void setup(const RankedColumns& columns, const sparse::CsrView<double>& a) {
    const auto begin = ScopedTimer::Clock::now();
    RankedColumns finest = columns;  // may be a level's own
    levels_.clear();
    below_ = {};
    levels_.emplace_back(std::make_unique<Level>());
    levels_[0]->columns = std::move(finest);
    first_entries_ = last_start(a);
    take_finest(a);
    levels_[0]->rows.build(dev_, levels_[0]->columns, levels_[0]->a);
    count(*levels_[0]);
    if (!moves(*levels_[0])) prepare(*levels_[0]);
    while (grow())
      ;
    make_below(amg::Refresh::all);
    finish();
    info_.seconds = std::chrono::duration<double>(ScopedTimer::Clock::now() - begin).count();
  }
  void refresh(const sparse::CsrView<double>& a, amg::Refresh how) {
    if (how == amg::Refresh::all) return setup(levels_[0]->columns, a);
    const auto begin = ScopedTimer::Clock::now();
    take_finest(a);
    levels_[0]->rows.refill(levels_[0]->a.value);
    if (levels_.size() > 1) prepare(*levels_[0]);
    if (how == amg::Refresh::galerkin)
      for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
        Level &fine = *levels_[l], &coarse = *levels_[l + 1];
        fine.products.again(dev_, fine.a, coarse.matrix);
        if (l + 2 < levels_.size()) prepare(coarse);
      }
    // the only level there is follows in any case
    if (how == amg::Refresh::galerkin || levels_.size() == 1) make_below(how);
    info_.seconds = std::chrono::duration<double>(ScopedTimer::Clock::now() - begin).count();
  }

  /// z = V-cycle from zero on A z = r; different arrays.
  void apply(const T* r, T* z) {
    if (levels_.size() == 1) return solve_below(r, z);
    Level& top = *levels_[0];
    T *x = top.other.data(), *other = z;
    dev_.for_each(top.n(), amg::FirstStep<T>{r, top.inverse_diagonal.data(), x, T(top.polynomial.step[0])});
    cycle(0, r, x, other);
  }

  /// Of all ranks, but for `bytes`.
  const amg::SetupInfo& info() const { return info_; }
  index_t unknowns() const { return levels_.empty() ? 0 : levels_[0]->everywhere; }
  /// How many ranks each of the levels lies with, on rank 0.
  const std::vector<int>& ranks_of_levels() const { return ranks_of_levels_; }

 private:
  struct Level {
    sparse::CsrView<T> a;
    typename Device::template Array<T> value;  // finest: the matrix in T
    RankedMatrix<Device, T> matrix;            // of the others
    RankedColumns columns;                     // of a
    RankedGalerkin<Device, T> products;        // with the next level's matrix
    RankedRows<Device, T> rows, p, r;
    typename Device::template Array<T> diagonal, inverse_diagonal;  // the first with ghosts
    typename Device::template Array<T> x, other, b, residual;
    amg::Polynomial polynomial;
    RankedStiff<Device, T> stiff;
    double largest = 0;
    index_t everywhere = 0, entries = 0;
    index_t n() const { return a.rows; }
  };
  /// What solves on the last level: on one rank, or on fewer.
  struct Below {
    std::unique_ptr<Fewer<Device, T>> rows;
    std::unique_ptr<amg::Hierarchy<Device, T>> on_one;
    std::unique_ptr<Hierarchy> on_some;
  };

  index_t last_start(const sparse::CsrView<double>& a) const {
    int last = 0;
    dev_.download(&last, a.start + a.rows, 1);
    return last;
  }
  void take_finest(const sparse::CsrView<double>& a) {
    Level& top = *levels_[0];
    const std::size_t entries = std::size_t(first_entries_);
    top.a = {a.rows, top.columns.columns(), a.start, a.column, nullptr, first_entries_};
    if constexpr (sizeof(T) == sizeof(double)) {
      top.a.value = a.value;
    } else {
      if (top.value.size() != entries) top.value = dev_.template allocate<T>(entries);
      dev_.for_each(first_entries_, sparse::Convert<double, T>{a.value, top.value.data()});
      top.a.value = std::as_const(top.value).data();
    }
  }
  void count(Level& level) {
    level.everywhere = comm::sum(dev_.comm(), level.n());
    level.entries = comm::sum(dev_.comm(), level.a.entries);
  }
  std::size_t nested() const { return nested_ ? nested_->size() : 0; }
  /// Whether a level goes to fewer ranks at once. The last one there is, too: that of one rank.
  bool moves(const Level& level) const {
    const int ranks = dev_.comm().size();
    return levels_.size() > nested() && (ranks == 1 || step_of(level.everywhere, ranks, least_share_) > 1);
  }

  /// Diagonal, spectrum and smoother of a level whose matrix is there.
  void prepare(Level& level) {
    const std::size_t n = std::size_t(level.n());
    const bool first = level.polynomial.step.empty();
    if (first) {
      level.diagonal = dev_.template allocate<T>(n + level.columns.ghosts.size());
      level.inverse_diagonal = dev_.template allocate<T>(n);
    }
    dev_.for_each(level.n(),
                  amg::InvertDiagonal<T>{level.a, level.diagonal.data(), level.inverse_diagonal.data()});
    const bool second_order = &level == levels_[0].get() && finest_coupling_ != amg::stiff_coupling;
    const amg::MatrixRows<T> rows{
        amg::make_strength(level.a, std::as_const(level.diagonal).data(),
                           &level == levels_[0].get() ? finest_coupling_ : amg::stiff_coupling),
        dense_limit(level.a)};
    const AskedRows<amg::MatrixRows<T>> asked{rows, &level.columns};
    if (first) {
      comm::Halo<Ranked, T> halo(dev_, dev_.channel(), level.columns.neighbours);
      halo.start(std::as_const(level.diagonal).data(), level.diagonal.data() + n);
      halo.finish();
      if (options_.stiff_rows) level.stiff.find(dev_, int(n), asked);
    }
    const T* inverse = std::as_const(level.inverse_diagonal).data();
    level.largest = amg::largest_eigenvalue<Ranked, T>(
        dev_, level.n(), inverse,
        [&](const T* x, const auto& f, double* sums) { level.rows.template then_sum<1>(x, f, sums); });
    if (!(level.largest > 0)) level.largest = 1;
    const double ratio = options_.eigenvalue_ratio > 1 ? options_.eigenvalue_ratio : amg::default_ratio;
    level.polynomial = amg::make_polynomial(
        options_.smoother, amg::degree_beside_stiff(options_, second_order && level.stiff.rows() > 0), ratio,
        1.1 * level.largest);
    level.stiff.refill(dev_, asked, inverse, level.largest, options_.smoother);
  }

  /// One level more below the last; false when this one moves or is the coarsest.
  bool grow() {
    Level& fine = *levels_.back();
    const std::size_t l = levels_.size() - 1;
    if (moves(fine) || int(levels_.size()) >= options_.max_levels) return false;
    RankedMatrix<Device, T> p;
    if (l < nested()) {
      p = upload<T>(dev_, (*nested_)[l]);
    } else if (const double theta = options_.strength * std::pow(0.5, double(l - nested()));
               !smoothed_prolongation(dev_, fine.columns, fine.a, std::as_const(fine.diagonal).data(), theta,
                                      fine.largest, p)) {
      return false;
    }
    auto coarse = std::make_unique<Level>();
    coarse->matrix = fine.products.make(dev_, fine.columns, fine.a, std::move(p));
    fine.p.build(dev_, coarse->matrix, fine.products.prolongation());
    fine.r.build(dev_, fine.products.restriction(), fine.products.restriction().rows.view());
    coarse->a = std::as_const(coarse->matrix.rows).view();
    coarse->columns = coarse->matrix;
    coarse->rows.build(dev_, coarse->columns, coarse->a);
    count(*coarse);
    levels_.push_back(std::move(coarse));
    if (!moves(*levels_.back())) prepare(*levels_.back());
    return true;
  }

  /// The last level on fewer ranks, and what is below it there.
  void make_below(amg::Refresh how) {
    const Level& last = *levels_.back();
    if (how != amg::Refresh::all) {
      below_.rows->take_values(last.a);
      if (below_.on_one) below_.on_one->refresh(below_.rows->rows(), how);
      if (below_.on_some) {
        const typename Ranked::Within within(dev_, below_.rows->group());
        below_.on_some->refresh(below_.rows->rows(), how);
      }
      return;
    }
    const int ranks = dev_.comm().size();
    const int step = moves(last) ? step_of(last.everywhere, ranks, least_share_) : ranks;
    below_.rows = std::make_unique<Fewer<Device, T>>(dev_, step);
    below_.rows->take_rows(last.columns, last.a);
    if (!below_.rows->here()) return;
    amg::Options options = options_;
    const std::size_t l = levels_.size() - 1;
    options.strength *= std::pow(0.5, double(l > nested() ? l - nested() : 0));
    options.max_levels = std::max(1, options_.max_levels - int(l));
    if (step >= ranks) {
      below_.on_one = std::make_unique<amg::Hierarchy<Device, T>>(dev_.alone(), options);
      below_.on_one->setup(below_.rows->rows());
      return;
    }
    const typename Ranked::Within within(dev_, below_.rows->group());
    const double coupling = l == 0 ? finest_coupling_ : amg::stiff_coupling;
    below_.on_some = std::make_unique<Hierarchy>(dev_, options, nullptr, least_share_, coupling);
    below_.on_some->setup(below_.rows->columns(), below_.rows->rows());
  }

  void finish() {
    info_ = {};
    ranks_of_levels_.clear();
    index_t unknowns = 0, entries = 0;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      Level& v = *levels_[l];
      const std::size_t n = std::size_t(v.n());
      for (auto* list : {&v.other, &v.residual}) *list = dev_.template allocate<T>(n);
      if (l > 0)
        for (auto* list : {&v.x, &v.b}) *list = dev_.template allocate<T>(n);
      info_.bytes += v.value.bytes() + v.matrix.rows.bytes() + v.products.bytes() + v.rows.bytes() +
                     v.p.bytes() + v.r.bytes() + v.diagonal.bytes() + v.inverse_diagonal.bytes() +
                     v.x.bytes() + v.other.bytes() + v.b.bytes() + v.residual.bytes() + v.stiff.bytes();
      if (l + 1 == levels_.size()) break;  // the first level of what is below
      info_.levels.push_back({int(v.everywhere), v.entries, int(v.stiff.rows())});
      ranks_of_levels_.push_back(dev_.comm().size());
    }
    std::vector<amg::LevelInfo> more;
    std::vector<int> their_ranks;
    info_.bytes += below_.rows->bytes();
    if (below_.on_one) {
      more = below_.on_one->info().levels;
      their_ranks.assign(more.size(), 1);
      info_.bytes += below_.on_one->info().bytes;
    } else if (below_.on_some) {
      more = below_.on_some->info().levels;
      their_ranks = below_.on_some->ranks_of_levels();
      info_.bytes += below_.on_some->info().bytes;
    }
    comm::broadcast(dev_.comm(), more);
    comm::broadcast(dev_.comm(), their_ranks);
    info_.levels.insert(info_.levels.end(), more.begin(), more.end());
    ranks_of_levels_.insert(ranks_of_levels_.end(), their_ranks.begin(), their_ranks.end());
    for (const auto& v : info_.levels) unknowns += v.unknowns, entries += v.entries;
    info_.grid_complexity = double(unknowns) / double(std::max<index_t>(1, levels_[0]->everywhere));
    info_.operator_complexity = double(entries) / double(std::max<index_t>(1, levels_[0]->entries));
  }

  void solve_below(const T* b, T* x) {
    below_.rows->solve(b, x, [&](const T* b_there, T* x_there) {
      if (below_.on_one) return below_.on_one->apply(b_there, x_there);
      const typename Ranked::Within within(dev_, below_.rows->group());
      below_.on_some->apply(b_there, x_there);
    });
  }

  /// From x_1 (first step done) in `x`; the result ends in what was `other`.
  void cycle(std::size_t l, const T* b, T* x, T* other) {
    Level &fine = *levels_[l], &coarse = *levels_[l + 1];
    const auto product = [&](const T* v, const auto& f) { fine.rows.then(v, f); };
    const T* inverse = std::as_const(fine.inverse_diagonal).data();
    amg::smooth_from_first(fine.polynomial, b, inverse, x, other, product);
    fine.stiff.smooth(dev_, b, x);
    product(x, sparse::StoreResidual<T>{b, fine.residual.data()});
    const T* correction = nullptr;
    if (l + 2 == levels_.size()) {
      fine.r.then(std::as_const(fine.residual).data(), sparse::Store<T>{coarse.b.data()});
      solve_below(std::as_const(coarse.b).data(), coarse.x.data());
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
  const std::vector<RankedCsr>* nested_;
  index_t least_share_;
  double finest_coupling_;
  index_t first_entries_ = 0;
  std::vector<std::unique_ptr<Level>> levels_;
  Below below_;
  std::vector<int> ranks_of_levels_;
  amg::SetupInfo info_;
};

}  // namespace umov::ranks
