// Potentials of floating electrodes, read from the unknowns of a state.
#pragma once

#include <cstddef>
#include <vector>

#include "comm/ranked_device.hpp"
#include "eqs/model/rank_share.hpp"
#include "eqs/problem.hpp"

namespace umov::eqs {

template <class Device>
class FloatingElectrodes {
 public:
  FloatingElectrodes(const Device& dev, const Problem& p)
      : dev_(dev), p_(p), over_(p.electrodes.size(), no_unknown) {
    if (p.share) over_ = p.share->over;
    for (std::size_t n = 0; n < p.base.size() && !p.share; ++n)
      if (p.node_electrode[n] >= 0 && p.base[n] != no_unknown) over_[p.node_electrode[n]] = p.base[n];
  }

  /// One element of a vector on the device; on ranks its owner's, on all of them.
  double at(const double* v, int unknown) const {
    double value = 0;
    if (unknown < p_.own_unknowns()) dev_.download(&value, v + unknown, 1);
    if constexpr (comm::is_ranked<Device>) value = comm::sum(dev_.comm(), value);
    return value;
  }
  /// Of an electrode that floats, which may be one over the base of the body that it is in. `fixed`: the
  /// potentials of the others.
  double potential(std::size_t electrode, const double* u, const std::vector<double>& fixed) const {
    const int unknown = p_.electrodes[electrode].unknown, base = over_[electrode];
    const double own = at(u, unknown);
    if (base == no_unknown || base == unknown) return own;
    return own + (base < 0 ? fixed[-1 - base] : at(u, base));
  }

 private:
  const Device& dev_;
  const Problem& p_;
  std::vector<int> over_;  // per electrode, the base of its nodes
};

}  // namespace umov::eqs
