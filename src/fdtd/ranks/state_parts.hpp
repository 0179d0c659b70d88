// A problem's saved state as the ranks have it: their rows put together, and cut.
#pragma once

#include <vector>

#include "fdtd/ranks/cut.hpp"
#include "fdtd/ranks/row_runs.hpp"
#include "fdtd/ranks/saved_state.hpp"

namespace umov::fdtd::ranks {

class StateParts {
 public:
  StateParts(const Problem&, const Cut&);
  /// What this rank steps. A rank without planes has none.
  void set_part(const Problem& part, const Block&);

  /// Arrays of the problem, and of the part.
  const std::vector<RowArray>& whole() const { return whole_; }
  const std::vector<RowArray>& own() const { return own_; }

  /// See read_state.
  SavedState read_whole(const std::vector<std::byte>&, const Header& expected, std::size_t recorders) const;
  SavedState read_own(const std::vector<std::byte>&, const Header& expected, std::size_t recorders) const;

  /// The rows of this rank, whose number is `rank`, of all arrays, one behind another.
  std::vector<std::byte> rows(int rank, const SavedState& own) const;
  /// The arrays of the problem from the rows of all ranks, one rank behind another; those of transforms get
  /// their lengths.
  void put_together(const std::vector<std::byte>& rows, SavedState& whole) const;
  /// The arrays of the part, copied rows with them. Those of transforms are left zero.
  void cut(const SavedState& whole, SavedState& own) const;

 private:
  /// Calls f(array of the problem, row, plane of the problem) for what rank r saves, in one order.
  template <class F>
  void for_saved(int r, const F& f) const {
    const auto [first, last] = cut_.stretch(r, cut_.planes_axis, -1, int(cut_.planes.back()) + 1);
    auto [row, row_end] = cut_.stretch(r, cut_.rows_axis, -1, int(cut_.rows.back()) + 1);
    if (cut_.rows_axis < 0) row = 0, row_end = 1;
    for (std::size_t a = 0; a < whole_.size(); ++a)
      for (int k = first; k < last; ++k)
        for (int j = row; j < row_end; ++j) f(a, j, k);
  }
  /// A row of an array, from the problem's to the part's.
  void copy_row(const std::vector<std::byte>& whole, const RowArray& from, int row, int plane,
                std::vector<std::byte>& own, const RowArray& to, int own_row, int own_plane) const;
  /// The part's array with this key, and its number; own().size(): there is none.
  std::size_t own_array(int key) const;

  Cut cut_;
  Block block_;
  std::vector<RowArray> whole_, own_;
  std::vector<std::size_t> whole_bytes_, own_bytes_;
  std::size_t value_bytes_;
};

}  // namespace umov::fdtd::ranks
