// The independent set on a GPU: the same rounds as linalg/amg/independent_set.hpp, but the host looks only
// now and then whether they are over. A round after the last changes nothing.
#pragma once

#include "backend/cuda/cuda.hpp"
#include "linalg/amg/independent_set.hpp"

namespace umov::amg {

struct DecideUnseen {
  Decide decide;
  UMOV_HD void operator()(index_t i) const {
    backend::Sums<double, 1> waiting{};
    decide(i, waiting);
  }
};

inline void independent_set(backend::Cuda& dev, const Graph<backend::Cuda>& g, const int* owner,
                            std::uint32_t* state, std::uint32_t* first) {
  constexpr std::uint32_t at_first = 6, later = 3;
  dev.fill_zero(first, g.rows);
  const std::uint32_t bits = id_bits(std::uint32_t(g.rows));
  const Decide decide{g.start.data(), g.column.data(), owner, first, state};
  double waiting = 1;
  for (std::uint32_t round = 0, look = at_first; waiting > 0; ++round) {
    dev.for_each(g.rows, DrawTickets{{round, bits}, state});
    dev.for_each(g.rows, FirstAmongNeighbours{g.start.data(), g.column.data(), owner, state, first});
    if (round + 1 < look) {
      dev.for_each(g.rows, DecideUnseen{decide});
    } else {
      waiting = dev.map_reduce<1, double>(g.rows, decide).v[0];
      look += later;
    }
  }
}

}  // namespace umov::amg
