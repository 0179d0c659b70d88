#include "fdtd/ranks/state_parts.hpp"

#include <algorithm>
#include <cstring>

#include "core/contract.hpp"
#include "fdtd/ranks/part.hpp"

namespace umov::fdtd::ranks {

StateParts::StateParts(const Problem& p, std::span<const index_t> borders)
    : borders_(borders.begin(), borders.end()),
      whole_(plane_arrays(p)),
      whole_bytes_(array_bytes(p, whole_)),
      value_bytes_(value_bytes(p)) {}

void StateParts::set_part(const Problem& part, const Slab& slab) {
  slab_ = slab;
  own_ = plane_arrays(part);
  own_bytes_ = array_bytes(part, own_);
}

SavedState StateParts::read_whole(const std::vector<std::byte>& bytes, const Header& expected,
                                  std::size_t recorders) const {
  return read_state(bytes, expected, whole_bytes_, recorders);
}

SavedState StateParts::read_own(const std::vector<std::byte>& bytes, const Header& expected,
                                std::size_t recorders) const {
  return read_state(bytes, expected, own_bytes_, recorders);
}

std::size_t StateParts::own_array(int key) const {
  return std::size_t(std::ranges::find(own_, key, &PlaneArray::key) - own_.begin());
}

std::vector<std::byte> StateParts::planes(int rank, const SavedState& own) const {
  std::vector<std::byte> out;
  for_saved(rank, [&](std::size_t a, int g) {
    const std::size_t which = own_array(whole_[a].key);
    UMOV_ENSURE(which < own_.size(), "a rank has the arrays of its planes");
    for (const Run& run : own_[which].at(own_place(slab_, g))) {
      const auto from = own.arrays[which].begin() + std::ptrdiff_t(run.first * index_t(value_bytes_));
      out.insert(out.end(), from, from + std::ptrdiff_t(run.count * index_t(value_bytes_)));
    }
  });
  return out;
}

void StateParts::put_together(const std::vector<std::byte>& planes, SavedState& whole) const {
  for (const std::size_t n : whole_bytes_) whole.arrays.emplace_back(n);
  const std::byte* from = planes.data();
  for (int r = 0; r + 1 < int(borders_.size()); ++r)
    for_saved(r, [&](std::size_t a, int g) {
      for (const Run& run : whole_[a].at(g)) {
        const std::size_t bytes = std::size_t(run.count) * value_bytes_;
        std::memcpy(whole.arrays[a].data() + std::size_t(run.first) * value_bytes_, from, bytes);
        from += bytes;
      }
    });
}

void StateParts::cut(const SavedState& whole, SavedState& own) const {
  for (auto& a : own.arrays) std::ranges::fill(a, std::byte{0});
  for (int l = -1; l <= slab_.count(); ++l) {
    const int g = slab_.at(l);
    if (g == Slab::ghost) continue;
    for (std::size_t a = 0; a < whole_.size(); ++a) {
      const std::size_t which = own_array(whole_[a].key);
      if (which == own_.size() || own_[which].at(l).empty()) continue;
      const auto &from = whole_[a].at(g), &to = own_[which].at(l);
      UMOV_ENSURE(from.size() == to.size(), "a part's plane holds what the problem's does");
      for (std::size_t i = 0; i < from.size(); ++i)
        std::memcpy(own.arrays[which].data() + std::size_t(to[i].first) * value_bytes_,
                    whole.arrays[a].data() + std::size_t(from[i].first) * value_bytes_,
                    std::size_t(to[i].count) * value_bytes_);
    }
  }
}

}  // namespace umov::fdtd::ranks
