// Rows of a component cut into runs of one material, so that most of a sweep needs no look-up per cell.
#pragma once

#include <cstdint>
#include <vector>

#include "fdtd/ranges.hpp"

namespace umov::fdtd {

/// Cells begin <= i < end of a row. material < 0: several, look each up.
struct MaterialRun {
  std::int32_t begin, end, material;
};

/// The runs of all rows (j, k) of one component's box.
class MaterialRuns {
 public:
  /// A run shorter than this is cheaper looked up together with its neighbours.
  static constexpr int shortest = 32;

  MaterialRuns() = default;
  /// `ids` over the layout; empty where the component is uniform in material `uniform`.
  MaterialRuns(const Box& box, const Layout& layout, const std::vector<std::uint16_t>& ids, int uniform)
      : box_(box) {
    if (box.empty()) return;
    if (ids.empty()) {
      all_ = {box.lo[0], box.hi[0], uniform};
      return;
    }
    for (int k = box.lo[2]; k < box.hi[2]; ++k)
      for (int j = box.lo[1]; j < box.hi[1]; ++j) {
        first_.push_back(runs_.size());
        add_row(ids.data() + layout.at(0, j, k));
      }
    first_.push_back(runs_.size());
  }

  /// f(begin, end, material) for the runs of a row inside the box.
  template <class Visit>
  void visit(int j, int k, const Visit& f) const {
    if (first_.empty()) return f(all_.begin, all_.end, all_.material);
    const std::size_t row = std::size_t(k - box_.lo[2]) * (box_.hi[1] - box_.lo[1]) + (j - box_.lo[1]);
    for (std::size_t r = first_[row]; r < first_[row + 1]; ++r)
      f(runs_[r].begin, runs_[r].end, runs_[r].material);
  }
  std::size_t bytes() const {
    return runs_.size() * sizeof(MaterialRun) + first_.size() * sizeof(std::size_t);
  }

 private:
  void add_row(const std::uint16_t* id) {
    const std::size_t start = runs_.size();
    for (int i = box_.lo[0]; i < box_.hi[0];) {
      int end = i + 1;
      while (end < box_.hi[0] && id[end] == id[i]) ++end;
      const bool whole_row = i == box_.lo[0] && end == box_.hi[0];
      const bool own = end - i >= shortest || whole_row;
      if (!own && runs_.size() > start && runs_.back().material < 0)
        runs_.back().end = end;
      else
        runs_.push_back({i, end, own ? int(id[i]) : -1});
      i = end;
    }
  }

  Box box_;
  MaterialRun all_{0, 0, 0};
  std::vector<MaterialRun> runs_;
  std::vector<std::size_t> first_;
};

}  // namespace umov::fdtd
