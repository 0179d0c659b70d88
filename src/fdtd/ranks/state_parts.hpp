// A problem's saved state as the ranks have it: their planes put together, and cut.
#pragma once

#include <span>
#include <vector>

#include "fdtd/ranks/plane_runs.hpp"
#include "fdtd/ranks/saved_state.hpp"
#include "fdtd/ranks/slab.hpp"

namespace umov::fdtd::ranks {

class StateParts {
 public:
  StateParts(const Problem&, std::span<const index_t> borders);
  /// What this rank steps. A rank without planes has none.
  void set_part(const Problem& part, const Slab&);

  /// Arrays of the problem, and of the part.
  const std::vector<PlaneArray>& whole() const { return whole_; }
  const std::vector<PlaneArray>& own() const { return own_; }

  /// See read_state.
  SavedState read_whole(const std::vector<std::byte>&, const Header& expected, std::size_t recorders) const;
  SavedState read_own(const std::vector<std::byte>&, const Header& expected, std::size_t recorders) const;

  /// The planes of this rank, whose number is `rank`, of all arrays, one behind another.
  std::vector<std::byte> planes(int rank, const SavedState& own) const;
  /// The arrays of the problem from the planes of all ranks, one rank behind another; those of transforms get
  /// their lengths.
  void put_together(const std::vector<std::byte>& planes, SavedState& whole) const;
  /// The arrays of the part, copied planes with them. Those of transforms are left zero.
  void cut(const SavedState& whole, SavedState& own) const;

 private:
  /// Calls f(array of the problem, plane of the problem) for what rank r saves, in one order.
  template <class F>
  void for_saved(int r, const F& f) const {
    for (std::size_t a = 0; a < whole_.size(); ++a) {
      const auto [from, to] = stretch(borders_, r, -1, int(borders_.back()) + 1);
      for (int g = from; g < to; ++g)
        if (!whole_[a].at(g).empty()) f(a, g);
    }
  }
  /// The part's array with this key, and its number; own().size(): there is none.
  std::size_t own_array(int key) const;

  std::vector<index_t> borders_;
  Slab slab_;
  std::vector<PlaneArray> whole_, own_;
  std::vector<std::size_t> whole_bytes_, own_bytes_;
  std::size_t value_bytes_;
};

}  // namespace umov::fdtd::ranks
