// A device's matrix-free product as that of one of several ranks: over all elements that the rank has, for
// the rows of its own unknowns.
#pragma once

#include <string>

#include "comm/ranked_device.hpp"
#include "eqs/solve/element_matrix.hpp"
#include "linalg/p_multigrid.hpp"

namespace umov::eqs {

template <class Device>
struct ElementTables<comm::RankedDevice<Device>> : ElementTables<Device> {
  void make(comm::RankedDevice<Device>& dev, const ModelView& model, int order, int unknowns) {
    ElementTables<Device>::make(dev.alone(), model, order, unknowns);
  }
  bool flux(comm::RankedDevice<Device>& dev, const ModelView& model, const double* u, const double* fixed,
            const Weights& w, index_t own, double* out) const {
    return ElementTables<Device>::flux(dev.alone(), model, u, fixed, w, own, out);
  }
};

template <class Device, class T>
class FastElements<comm::RankedDevice<Device>, T> {
  using Ranked = comm::RankedDevice<Device>;

 public:
  void take(Ranked& dev, const ElementMatrix<Ranked>& m) {
    dev_ = &dev;
    own_ = m.rows.rows;
    plain_.take(dev.alone(), {m.order, m.elements, m.rows, m.work, m.tables});
    if (y_.size() == 0) y_ = dev.template allocate<T>(std::size_t(own_));
  }
  index_t size() const { return own_; }
  std::size_t bytes() const { return plain_.bytes() + y_.bytes(); }
  std::string variant() const { return plain_.variant(); }

  template <class Then>
  void then(const T* x, const Then& f) const {
    plain_.then(x, OwnRows<Then>{own_, f});
  }
  template <int K, class Then>
  void then_sum(const T* x, const Then& f, double* sums) const {
    then(x, sparse::Store<T>{y_.data()});
    dev_->template reduce_to<K>(own_, linalg::SumStored<T, Then>{y_.data(), f}, sums);
  }

 private:
  Ranked* dev_ = nullptr;
  index_t own_ = 0;
  FastElements<Device, T> plain_;
  mutable typename Device::template Array<T> y_;
};

}  // namespace umov::eqs
