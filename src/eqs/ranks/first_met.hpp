// Things that elements have, by the first element that has them: in parallel, with the answer of one thread.
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/large_memory.hpp"

namespace umov::eqs {

/// value = min(value, other), whoever else does the same.
inline void lower_to(int& value, int other) {
  std::atomic_ref<int> shared(value);
  int now = shared.load(std::memory_order_relaxed);
  while (other < now && !shared.compare_exchange_weak(now, other, std::memory_order_relaxed)) {
  }
}

inline constexpr int met_by_none = std::numeric_limits<int>::max();

/// Per thing the first of `elements` that has it, or met_by_none; things_of(element): an array of its things.
template <class ThingsOf>
std::vector<int> first_to_meet(std::size_t elements, std::size_t things, const ThingsOf& things_of) {
  std::vector<int> first(things, met_by_none);
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < elements; ++e)
    for (const int t : things_of(e)) lower_to(first[std::size_t(t)], int(e));
  return first;
}

/// The stretches that `n` are dealt out in, one for each thread, and f(stretch, begin, end) for all of them.
inline std::size_t stretches() { return std::size_t(omp_get_max_threads()); }
template <class F>
void each_stretch(std::size_t n, const F& f) {
  const std::size_t count = stretches();
#pragma omp parallel for schedule(static, 1)
  for (std::size_t s = 0; s < count; ++s) f(s, n * s / count, n * (s + 1) / count);
}

/// Lists of the stretches one behind another.
template <class T>
std::vector<T> joined(const std::vector<std::vector<T>>& parts) {
  std::vector<std::size_t> first{0};
  for (const auto& part : parts) first.push_back(first.back() + part.size());
  std::vector<T> out;
  resize_large(out, first.back());
#pragma omp parallel for schedule(static, 1)
  for (std::size_t s = 0; s < parts.size(); ++s)
    std::copy(parts[s].begin(), parts[s].end(), out.begin() + std::ptrdiff_t(first[s]));
  return out;
}

/// Things numbered in the order in which elements meet them.
struct MetOrder {
  std::vector<int> number;  ///< per thing; -1: no element has it
  std::vector<int> thing;   ///< per number
};
/// An element has a thing once at most.
template <class ThingsOf>
MetOrder met_order(std::size_t elements, std::size_t things, const ThingsOf& things_of) {
  MetOrder out{first_to_meet(elements, things, things_of), {}};
  std::vector<std::vector<int>> met(stretches());
  each_stretch(elements, [&](std::size_t s, std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e)
      for (const int t : things_of(e))
        if (out.number[std::size_t(t)] == int(e)) met[s].push_back(t);
  });
  out.thing = joined(met);
#pragma omp parallel for schedule(static)
  for (std::size_t t = 0; t < things; ++t)
    if (out.number[t] == met_by_none) out.number[t] = -1;
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < out.thing.size(); ++k) out.number[std::size_t(out.thing[k])] = int(k);
  return out;
}

}  // namespace umov::eqs
