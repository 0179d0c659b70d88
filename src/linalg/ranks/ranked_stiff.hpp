// amg::StiffPart across ranks: a longer polynomial on the rows of flat elements, wherever they lie.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "linalg/amg/stiff_part.hpp"
#include "linalg/ranks/ranked_rows.hpp"

namespace umov::ranks {

/// The stiff rows of one rank, and the matrix among those of all ranks. None where amg::StiffPart would take
/// none of the whole. Of every rank.
struct StiffRows {
  std::vector<int> row;            ///< of this rank's, ascending
  RankedCsr all, among;            ///< these rows; with stiff columns only, numbered as `row`
  std::vector<char> stiff_column;  ///< of the rows' columns, with ghosts
  index_t everywhere = 0;
};
StiffRows find_stiff(comm::Communicator&, const RankedCsr& a, double coupling);
/// Values of `a`, whose pattern is as it was.
void refill_stiff(const RankedCsr& a, StiffRows&);

template <class Device, class T>
class RankedStiff {
  using Ranked = comm::RankedDevice<Device>;

 public:
  void find(Ranked& dev, const RankedCsr& a, double coupling) {
    rows_ = find_stiff(dev.comm(), a, coupling);
    if (rows_.everywhere == 0) return;
    row_ = dev.template allocate<int>(rows_.row.size());
    dev.upload(row_.data(), rows_.row.data(), rows_.row.size());
    for (auto* v : {&inverse_, &r_, &e_, &other_}) *v = dev.template allocate<T>(rows_.row.size());
    all_.build(dev, rows_.all);
    among_.build(dev, rows_.among);
  }
  /// See amg::StiffPart; `inverse_diagonal` is the host's.
  void refill(Ranked& dev, const RankedCsr& a, const std::vector<double>& inverse_diagonal, double largest,
              amg::Smoother kind) {
    if (rows_.everywhere == 0) return;
    refill_stiff(a, rows_);
    all_.refill(rows_.all);
    among_.refill(rows_.among);
    std::vector<T> inverse;
    for (const int i : rows_.row) inverse.push_back(T(inverse_diagonal[std::size_t(i)]));
    dev.upload(inverse_.data(), inverse.data(), inverse.size());
    const double own = amg::largest_eigenvalue<Ranked, T>(
        dev, index_t(rows_.row.size()), std::as_const(inverse_).data(),
        [&](const T* x, const auto& f, double* sums) { among_.template then_sum<1>(x, f, sums); });
    polynomial_ = amg::make_polynomial(kind, amg::stiff_degree, amg::stiff_ratio,
                                       1.1 * (own > largest ? own : largest));
  }
  void smooth(Ranked& dev, const T* b, T* x) {
    if (rows_.everywhere == 0) return;
    const T* inverse = std::as_const(inverse_).data();
    T *e = e_.data(), *other = other_.data();
    all_.then(std::as_const(x), amg::FirstOnStiff<T>{std::as_const(row_).data(), b, inverse, r_.data(), e,
                                                     T(polynomial_.step[0])});
    amg::smooth_from_first(polynomial_, std::as_const(r_).data(), inverse, e, other,
                           [&](const T* v, const auto& f) { among_.then(v, f); });
    dev.for_each(index_t(rows_.row.size()), amg::AddOnStiff<T>{std::as_const(row_).data(), e, x});
  }
  index_t everywhere() const { return rows_.everywhere; }
  std::size_t bytes() const {
    return row_.bytes() + all_.bytes() + among_.bytes() + inverse_.bytes() + r_.bytes() + e_.bytes() +
           other_.bytes();
  }

 private:
  StiffRows rows_;
  typename Device::template Array<int> row_;
  typename Device::template Array<T> inverse_, r_, e_, other_;
  RankedRows<Device, T> all_, among_;
  amg::Polynomial polynomial_;
};

}  // namespace umov::ranks
