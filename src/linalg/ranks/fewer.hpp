// A level's rows gathered on fewer ranks: where each rank's share is too small to be worth its messages.
#pragma once

#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "linalg/ranks/ranked_matrix.hpp"

namespace umov::ranks {

/// Every how many-th rank keeps a level of n unknowns of all `ranks`, so that each of them has `least_share`:
/// a power of two, or all on the first.
inline int step_of(index_t n, int ranks, index_t least_share) {
  int step = 1;
  while (step < ranks && n < least_share * ((ranks + step - 1) / step)) step *= 2;
  return step;
}

/// A rank's rows as all ranks know them, packed to travel, and put together where they go.
struct MovedRows {
  std::vector<int> length;  ///< of rows
  std::vector<Owned> column;
  std::vector<index_t> rows;     ///< of all ranks
  std::vector<index_t> entries;  ///< of all ranks
};
/// Rows of the ranks [rank, rank + step) one behind another on rank `rank`, columns as they are numbered
/// there; `place`: of each entry, where among the ranks' values one behind another its own lies. Without
/// neighbours.
RankedCsr put_together(const MovedRows&, int rank, int step, std::vector<int>& place);

template <class T>
struct TakePlaces {
  const int* place;
  const T* from;
  double* to;
  UMOV_HD void operator()(index_t k) const { to[k] = double(from[place[k]]); }
};

/// The rows of a level move to every `step`-th rank, each of which takes those of the ranks up to the next;
/// vectors travel there and back. Every member is called by every rank of the level's group.
template <class Device, class T>
class Fewer {
  using Ranked = comm::RankedDevice<Device>;

 public:
  Fewer(Ranked& dev, int step)
      : dev_(dev), level_(dev.group()), fewer_(dev.group().fewer(step)), step_(step) {}

  comm::Group& group() const { return fewer_; }
  bool here() const { return fewer_.here(); }

  /// `a`: a rank's rows with these columns.
  void take_rows(const RankedColumns& columns, const sparse::CsrView<T>& a) {
    auto& comm = level_.comm();
    const int rank = comm.rank();
    MovedRows mine;
    const auto start = take(dev_.alone(), a.start, std::size_t(a.rows) + 1);
    for (int i = 0; i < a.rows; ++i) mine.length.push_back(start[std::size_t(i) + 1] - start[std::size_t(i)]);
    for (const int c : take(dev_.alone(), a.column, std::size_t(start.back())))
      mine.column.push_back(owned_column(columns, rank, c));
    rows_ = comm::all_gather(comm, index_t(a.rows));
    entries_ = comm::all_gather(comm, index_t(start.back()));
    MovedRows all{gathered(mine.length, rows_), gathered(mine.column, entries_), rows_, entries_};
    own_rows_ = index_t(a.rows), own_entries_ = index_t(start.back());
    if (here()) {
      std::vector<int> place;
      pattern_ = put_together(all, rank, step_, place);
      pattern_.neighbours = find_neighbours(fewer_.comm(), pattern_.ghosts);
      place_ = put(dev_.alone(), place);
      start_ = put(dev_.alone(), pattern_.rows.start);
      column_ = put(dev_.alone(), pattern_.rows.column);
      came_ = dev_.template allocate<T>(place.size());
      value_ = dev_.template allocate<double>(place.size());
      b_ = dev_.template allocate<T>(std::size_t(pattern_.rows.rows));
      x_ = dev_.template allocate<T>(std::size_t(pattern_.rows.rows));
      pattern_.rows.start = {}, pattern_.rows.column = {};
    }
    make_ways();
    take_values(a);
  }
  /// Values of the same rows.
  void take_values(const sparse::CsrView<T>& a) {
    move(a.value, own_entries_, came_.data(), entries_);
    dev_.for_each(index_t(place_.size()),
                  TakePlaces<T>{std::as_const(place_).data(), std::as_const(came_).data(), value_.data()});
  }

  /// The moved rows, where they are.
  const RankedColumns& columns() const { return pattern_; }
  sparse::CsrView<double> rows() const {
    return {pattern_.rows.rows, pattern_.rows.columns, start_.data(),
            column_.data(),     value_.data(),         index_t(column_.size())};
  }

  /// x = what solve(b, x) finds there, on vectors of the moved rows.
  template <class Solve>
  void solve(const T* b, T* x, const Solve& solve_there) {
    there_->start(b, b_.data());
    there_->finish();
    if (here()) solve_there(std::as_const(b_).data(), x_.data());
    back_->start(std::as_const(x_).data(), x);
    back_->finish();
  }

  std::size_t bytes() const {
    return place_.bytes() + start_.bytes() + column_.bytes() + came_.bytes() + value_.bytes() + b_.bytes() +
           x_.bytes();
  }

 private:
  int collector() const { return level_.comm().rank() / step_ * step_; }
  /// f(rank, n) of the ranks whose rows come here.
  template <class F>
  void each_taken(const std::vector<index_t>& n, const F& f) const {
    const int rank = level_.comm().rank();
    for (int r = rank; r < std::min(rank + step_, level_.comm().size()); ++r)
      f(r, std::size_t(n[std::size_t(r)]));
  }
  void move(const T* from, index_t own, T* to, const std::vector<index_t>& n) {
    std::vector<comm::In> ins;
    if (here())
      each_taken(n, [&](int r, std::size_t k) {
        ins.push_back(comm::in(r, to, k));
        to += k;
      });
    const comm::Out out = comm::out(collector(), from, std::size_t(own));
    level_.channel().exchange({&out, 1}, ins);
  }
  /// How vectors travel: a rank's own to the collector and from it.
  void make_ways() {
    const auto stretch = [](std::size_t first, std::size_t n) {
      std::vector<int> places(n);
      std::iota(places.begin(), places.end(), int(first));
      return places;
    };
    std::vector<comm::Neighbour> there, back;
    const int rank = level_.comm().rank();
    const std::size_t own = std::size_t(own_rows_);
    std::size_t at = 0;
    if (here())
      each_taken(rows_, [&](int r, std::size_t n) {
        there.push_back({r, stretch(0, r == rank ? own : 0), int(n)});
        back.push_back({r, stretch(at, n), r == rank ? int(own) : 0});
        at += n;
      });
    else
      there = {{collector(), stretch(0, own), 0}}, back = {{collector(), {}, int(own)}};
    there_ = std::make_unique<comm::Halo<Ranked, T>>(dev_, level_.channel(), there);
    back_ = std::make_unique<comm::Halo<Ranked, T>>(dev_, level_.channel(), back);
  }
  template <class V>
  std::vector<V> gathered(const std::vector<V>& mine, const std::vector<index_t>& n) {
    std::vector<V> all;
    std::vector<comm::In> ins;
    if (here()) {
      std::size_t total = 0, at = 0;
      each_taken(n, [&](int, std::size_t k) { total += k; });
      all.resize(total);
      each_taken(n, [&](int r, std::size_t k) {
        ins.push_back(comm::in(r, all.data() + at, k));
        at += k;
      });
    }
    const comm::Out out = comm::out(collector(), mine.data(), mine.size());
    level_.comm().exchange({&out, 1}, ins);
    return all;
  }

  Ranked& dev_;
  comm::Group &level_, &fewer_;
  int step_;
  std::vector<index_t> rows_, entries_;  // by rank
  index_t own_rows_ = 0, own_entries_ = 0;
  RankedCsr pattern_;  // the rows themselves are on the device
  typename Device::template Array<int> place_, start_, column_;
  typename Device::template Array<T> came_, b_, x_;
  typename Device::template Array<double> value_;
  std::unique_ptr<comm::Halo<Ranked, T>> there_, back_;  // of vectors
};

}  // namespace umov::ranks
