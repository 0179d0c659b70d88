// Maximal sets of nodes of which no two are within distance two, in parallel and always the same.
#pragma once

#include <cstdint>

#include "backend/reduce.hpp"
#include "core/complex.hpp"
#include "linalg/amg/strength.hpp"

namespace umov::amg {

/// A node's state in one word, so that a minimum over neighbours finds the first in line: chosen < waiting
/// (hash of node and round above, node below) < out. Kelley and Rajamanickam 2022 (ICPP), after Bell, Dalton,
/// Olson 2012 (SIAM J. Sci. Comput. 34, C123).
struct Ticket {
  static constexpr std::uint32_t chosen = 0, out = 0xffffffffu;

  std::uint32_t round;
  std::uint32_t id_bits;

  UMOV_HD static std::uint32_t mix(std::uint32_t x) {
    x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu, x ^= x >> 16;
    return x;
  }
  /// Distinct for distinct nodes, and neither `chosen` nor `out`: node + 1 is in the lower bits.
  UMOV_HD std::uint32_t operator()(std::uint32_t node) const {
    const std::uint32_t hash = mix(node * 0x9e3779b9u + mix(round));
    return (id_bits < 32 ? hash << id_bits : 0) | (node + 1);
  }
};
/// Bits that hold node + 1 of n nodes with all ones left over.
inline std::uint32_t id_bits(std::uint32_t nodes) {
  std::uint32_t bits = 1;
  while (bits < 32 && (std::uint32_t(1) << bits) < nodes + 2) ++bits;
  return bits;
}

struct DrawTickets {
  Ticket draw;
  std::uint32_t* state;
  UMOV_HD void operator()(index_t i) const {
    if (state[i] != Ticket::chosen && state[i] != Ticket::out) state[i] = draw(std::uint32_t(i));
  }
};
/// First in line among a node and its neighbours; `out` once that one is chosen, and for ever.
struct FirstAmongNeighbours {
  const int *start, *column;
  const int* owner;  // nodes with an owner are not there; may be null
  const std::uint32_t* state;
  std::uint32_t* first;
  UMOV_HD void operator()(index_t i) const {
    if (first[i] == Ticket::out || (owner && owner[i] >= 0)) return;
    std::uint32_t least = state[i];
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const int j = column[k];
      if (owner && owner[j] >= 0) continue;
      if (state[j] < least) least = state[j];
    }
    first[i] = least == Ticket::chosen ? Ticket::out : least;
  }
};
/// A node that is first in every neighbourhood it belongs to is chosen; one near a chosen one is out.
struct Decide {
  const int *start, *column;
  const int* owner;
  const std::uint32_t* first;
  std::uint32_t* state;
  template <class S>
  UMOV_HD void operator()(index_t i, S& sums) const {
    const std::uint32_t mine = state[i];
    if (mine == Ticket::chosen || mine == Ticket::out) return;
    bool near = first[i] == Ticket::out, best = first[i] == mine;
    for (int k = start[i]; k < start[i + 1] && !near; ++k) {
      const int j = column[k];
      if (owner && owner[j] >= 0) continue;
      near = first[j] == Ticket::out;
      best = best && first[j] == mine;
    }
    if (near)
      state[i] = Ticket::out;
    else if (best)
      state[i] = Ticket::chosen;
    else
      sums.v[0] += 1;
  }
};

/// On entry state[i] is anything but chosen/out for candidates and out for the others; on return every
/// candidate is chosen or out. `first` is working space of as many words. The answer depends on the graph
/// alone.
template <class Device>
void independent_set(Device& dev, const Graph<Device>& g, const int* owner, std::uint32_t* state,
                     std::uint32_t* first) {
  dev.fill_zero(first, g.rows);
  const std::uint32_t bits = id_bits(std::uint32_t(g.rows));
  double waiting = 1;
  for (std::uint32_t round = 0; waiting > 0; ++round) {
    dev.for_each(g.rows, DrawTickets{{round, bits}, state});
    dev.for_each(g.rows, FirstAmongNeighbours{g.start.data(), g.column.data(), owner, state, first});
    waiting = dev.template map_reduce<1, double>(g.rows,
                                                 Decide{g.start.data(), g.column.data(), owner, first, state})
                  .v[0];
  }
}

}  // namespace umov::amg
