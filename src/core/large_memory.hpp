// Lists of millions of entries: memory in large pages, which costs a fraction of the page faults.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace umov {

/// Asks the system for large pages in [data, data + bytes), before these are written first. A hint: where it
/// is not followed nothing changes but the time.
inline void prefer_large_pages(void* data, std::size_t bytes) {
  constexpr std::size_t page = std::size_t(1) << 12, worth_asking = std::size_t(1) << 22;
  if (bytes < worth_asking) return;
#ifdef MADV_HUGEPAGE
  const auto begin = (reinterpret_cast<std::uintptr_t>(data) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(data) + bytes) / page * page;
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  (void)data;
#endif
}

/// As list.resize(n), for a list that is empty or grows.
template <class T>
void resize_large(std::vector<T>& list, std::size_t n) {
  list.reserve(n);
  prefer_large_pages(list.data() + list.size(), (n - list.size()) * sizeof(T));
  list.resize(n);
}

/// n entries that are not initialised: the threads that write them first also take the page faults.
template <class T>
std::unique_ptr<T[]> large_buffer(std::size_t n) {
  auto out = std::make_unique_for_overwrite<T[]>(n);
  prefer_large_pages(out.get(), n * sizeof(T));
  return out;
}

}  // namespace umov
