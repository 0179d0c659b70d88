#include "fdtd/ranks/shares_of_block.hpp"

#include <algorithm>
#include <tuple>

namespace umov::fdtd::ranks {

Cells share_of(const Cut& cut, int r, const Cells& c) {
  Cells share;
  for (int a = 0; a < 3; ++a) std::tie(share.lo[a], share.hi[a]) = cut.stretch(r, a, c.lo[a], c.hi[a]);
  return share;
}

std::vector<std::size_t> share_counts(const Cut& cut, int ranks, const Cells& c, int width) {
  std::vector<std::size_t> counts;
  for (int r = 0; r < ranks; ++r) counts.push_back(share_of(cut, r, c).count() * std::size_t(width));
  return counts;
}

std::vector<double> in_place(const Cut& cut, int ranks, const Cells& c, std::vector<double> given,
                             int width) {
  if (!cut.blocks() || given.empty()) return given;
  std::vector<double> all(given.size());
  const auto row = std::ptrdiff_t(c.size(0)) * width;
  auto at = given.begin();
  for (int r = 0; r < ranks; ++r) {
    const Cells share = share_of(cut, r, c);
    for (int k = share.lo[2]; k < share.hi[2]; ++k)
      for (int j = share.lo[1]; j < share.hi[1]; ++j, at += row)
        std::copy_n(at, row, all.begin() + row * (j - c.lo[1] + std::ptrdiff_t(c.size(1)) * (k - c.lo[2])));
  }
  return all;
}

std::vector<CopiedRun> copies_of(const Slab& s, const Cells& c) {
  if (s.axis < 0) return {CopiedRun{}};
  std::vector<CopiedRun> list;
  for (int l = -1; l <= s.count(); ++l) {
    const int g = s.at(l);
    if (g == Slab::ghost || g < c.lo[s.axis] || g >= c.hi[s.axis]) continue;
    if (!list.empty() && list.back().place + list.back().count == l &&
        list.back().first + list.back().count == g)
      ++list.back().count;
    else
      list.push_back({s.axis, g, 1, l});
  }
  return list;
}

std::vector<double> cut_out(const std::vector<double>& values, const Int3& size, const Cells& c) {
  std::vector<double> part;
  if (values.empty()) return part;
  for (int k = c.lo[2]; k < c.hi[2]; ++k)
    for (int j = c.lo[1]; j < c.hi[1]; ++j) {
      const auto row = values.begin() + c.lo[0] + std::ptrdiff_t(size[0]) * (j + std::ptrdiff_t(size[1]) * k);
      part.insert(part.end(), row, row + c.size(0));
    }
  return part;
}

}  // namespace umov::fdtd::ranks
