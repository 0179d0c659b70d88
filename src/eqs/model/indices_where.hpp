// Numbers that something holds of, found by blocks side by side.
#pragma once

#include <algorithm>
#include <vector>

namespace umov::eqs {

/// Of 0 .. count - 1 those that `holds` says yes of, ascending, for any number of threads.
template <class Holds>
std::vector<int> indices_where(int count, const Holds& holds) {
  constexpr int block = 1 << 14;
  const int blocks = count / block + (count % block != 0);
  const auto end_of = [&](int b) { return b + 1 == blocks ? count : (b + 1) * block; };
  std::vector<std::vector<int>> found{std::size_t(blocks)};
#pragma omp parallel for schedule(dynamic)
  for (int b = 0; b < blocks; ++b)
    for (int i = b * block; i < end_of(b); ++i)
      if (holds(i)) found[std::size_t(b)].push_back(i);
  std::vector<std::size_t> first(found.size() + 1, 0);
  for (std::size_t b = 0; b < found.size(); ++b) first[b + 1] = first[b] + found[b].size();
  std::vector<int> out(first.back());
#pragma omp parallel for schedule(static)
  for (std::size_t b = 0; b < found.size(); ++b)
    std::copy(found[b].begin(), found[b].end(), out.data() + first[b]);
  return out;
}

}  // namespace umov::eqs
