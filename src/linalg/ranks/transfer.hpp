// Prolongation and restriction between levels that lie with several ranks.
#pragma once

#include "linalg/ranks/ranked_matrix.hpp"
#include "linalg/ranks/ranked_rows.hpp"

namespace umov::ranks {

/// In the place of linalg::EdgeTransfer. Every member but the sizes is called by every rank.
template <class Device, class T>
class Transfer {
 public:
  void make(comm::RankedDevice<Device>& dev, const RankedCsr& prolongation) {
    p_ = upload<T>(dev, prolongation);
    r_ = transpose(dev, p_);
    p_rows_.build(dev, p_, std::as_const(p_.rows).view());
    r_rows_.build(dev, r_, std::as_const(r_.rows).view());
  }
  int coarse() const { return int(r_rows_.size()); }
  void restrict_to(const T* r, T* b) const { r_rows_.then(r, sparse::Store<T>{b}); }
  void add(const T* c, T* x) const { p_rows_.then(c, sparse::StoreSum<T>{x}); }
  std::size_t bytes() const { return p_.rows.bytes() + r_.rows.bytes() + p_rows_.bytes() + r_rows_.bytes(); }

 private:
  RankedMatrix<Device, T> p_, r_;
  RankedRows<Device, T> p_rows_, r_rows_;
};

}  // namespace umov::ranks
