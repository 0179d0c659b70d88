// Lists of all ranks on every rank.
#pragma once

#include <span>
#include <vector>

#include "comm/collect.hpp"

namespace umov::fdtd::ranks {

/// The lists of all ranks, one behind another in their order; counts[r] is the length of rank r's.
template <class T>
std::vector<T> gathered(comm::Communicator& comm, const std::vector<T>& mine,
                        std::span<const std::size_t> counts) {
  std::size_t total = 0;
  for (const std::size_t n : counts) total += n;
  std::vector<T> all(total);
  std::vector<comm::Out> outs;
  std::vector<comm::In> ins;
  T* to = all.data();
  for (int r = 0; r < comm.size(); to += counts[std::size_t(r)], ++r) {
    outs.push_back(comm::out(r, mine.data(), mine.size()));
    ins.push_back(comm::in(r, to, counts[std::size_t(r)]));
  }
  comm.exchange(outs, ins);
  return all;
}

}  // namespace umov::fdtd::ranks
