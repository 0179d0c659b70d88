// A preconditioner's table on several ranks.
#pragma once

#include "comm/on_ranks.hpp"
#include "dda/inverse_lattice.hpp"

namespace umov::dda {

/// Every rank makes the whole table on its own device: it is needed once, of the tensor each has its part.
template <class Dev, class T>
class InverseLattice<comm::OnRanks<Dev>, T> {
 public:
  InverseLattice(comm::OnRanks<Dev>& dev, const Problem& problem, const Preconditioner& p)
      : own_(dev, problem, p) {}
  auto table() { return own_.table(); }

 private:
  InverseLattice<Dev, T> own_;
};

}  // namespace umov::dda
