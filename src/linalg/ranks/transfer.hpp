// Prolongation and restriction between levels that lie with several ranks.
#pragma once

#include "linalg/ranks/ranked_rows.hpp"

namespace umov::ranks {

/// In the place of linalg::EdgeTransfer. Every member but the sizes is called by every rank.
template <class Device, class T>
class Transfer {
 public:
  void make(comm::RankedDevice<Device>& dev, const RankedCsr& prolongation) {
    p_.build(dev, prolongation);
    r_.build(dev, transpose(dev.comm(), prolongation));
  }
  int coarse() const { return int(r_.size()); }
  void restrict_to(const T* r, T* b) const { r_.then(r, sparse::Store<T>{b}); }
  void add(const T* c, T* x) const { p_.then(c, sparse::StoreSum<T>{x}); }
  std::size_t bytes() const { return p_.bytes() + r_.bytes(); }

 private:
  RankedRows<Device, T> p_, r_;
};

}  // namespace umov::ranks
