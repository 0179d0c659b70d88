#include "fdtd/ranks/state_parts.hpp"

#include <algorithm>
#include <cstring>

#include "core/contract.hpp"
#include "fdtd/ranks/part.hpp"

namespace umov::fdtd::ranks {

StateParts::StateParts(const Problem& p, const Cut& cut)
    : cut_(cut), whole_(row_arrays(p)), whole_bytes_(array_bytes(p, whole_)), value_bytes_(value_bytes(p)) {}

void StateParts::set_part(const Problem& part, const Block& block) {
  block_ = block;
  own_ = row_arrays(part);
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
  return std::size_t(std::ranges::find(own_, key, &RowArray::key) - own_.begin());
}

std::vector<std::byte> StateParts::rows(int rank, const SavedState& own) const {
  std::vector<std::byte> out;
  std::vector<std::size_t> own_of;
  for (const RowArray& a : whole_) own_of.push_back(own_array(a.key));
  for_saved(rank, [&](std::size_t a, int row, int plane) {
    if (!whole_[a].has(row, plane)) return;
    const std::size_t which = own_of[a];
    UMOV_ENSURE(which < own_.size(), "a rank has the arrays of its planes");
    own_[which].each(own_place(block_.rows, row), own_place(block_.planes, plane), [&](const Run& run) {
      const auto from = own.arrays[which].begin() + std::ptrdiff_t(run.first * index_t(value_bytes_));
      out.insert(out.end(), from, from + std::ptrdiff_t(run.count * index_t(value_bytes_)));
    });
  });
  return out;
}

void StateParts::put_together(const std::vector<std::byte>& rows, SavedState& whole) const {
  for (const std::size_t n : whole_bytes_) whole.arrays.emplace_back(n);
  const std::byte* from = rows.data();
  for (int r = 0; r < cut_.ranks(); ++r)
    for_saved(r, [&](std::size_t a, int row, int plane) {
      whole_[a].each(row, plane, [&](const Run& run) {
        const std::size_t bytes = std::size_t(run.count) * value_bytes_;
        std::memcpy(whole.arrays[a].data() + std::size_t(run.first) * value_bytes_, from, bytes);
        from += bytes;
      });
    });
}

void StateParts::cut(const SavedState& whole, SavedState& own) const {
  for (auto& a : own.arrays) std::ranges::fill(a, std::byte{0});
  for (std::size_t a = 0; a < whole_.size(); ++a) {
    const std::size_t which = own_array(whole_[a].key);
    if (which == own_.size()) continue;
    for (int k = -1; k <= block_.planes.count(); ++k)
      for (int j = -1; j <= block_.rows.count(); ++j)
        if (const int plane = block_.planes.at(k), row = block_.rows.at(j);
            plane != Slab::ghost && row != Slab::ghost && own_[which].has(j, k))
          copy_row(whole.arrays[a], whole_[a], row, plane, own.arrays[which], own_[which], j, k);
  }
}

void StateParts::copy_row(const std::vector<std::byte>& whole, const RowArray& from, int row, int plane,
                          std::vector<std::byte>& own, const RowArray& to, int own_row, int own_plane) const {
  std::vector<Run> runs;
  from.each(row, plane, [&](const Run& run) { runs.push_back(run); });
  std::size_t i = 0;
  to.each(own_row, own_plane, [&](const Run& run) {
    UMOV_ENSURE(i < runs.size() && runs[i].count == run.count, "a part's row holds what the problem's does");
    std::memcpy(own.data() + std::size_t(run.first) * value_bytes_,
                whole.data() + std::size_t(runs[i++].first) * value_bytes_,
                std::size_t(run.count) * value_bytes_);
  });
  UMOV_ENSURE(i == runs.size(), "a part's row holds what the problem's does");
}

}  // namespace umov::fdtd::ranks
