// Cuts what lies on a grid across one axis: lists of cells, and what points into them.
#pragma once

#include <algorithm>
#include <vector>

#include "fdtd/planes.hpp"
#include "fdtd/ranks/slab.hpp"

namespace umov::fdtd::ranks {

/// Translates lists of cells.
class Cutter {
 public:
  Cutter(const Problem& p, const Slab& s, const Grid& part)
      : problem_(p),
        slab_(s),
        planes_(p.grid),
        rows_(p.grid),
        own_(part),
        by_rows_(s.axis == rows_.axis()),
        places_(s.cells + 2) {
    for (int g = -1; g <= s.cells; ++g) places_[std::size_t(g + 1)] = s.places_of(g);
  }
  /// Across the axis that is cut.
  int plane(index_t cell) const {
    const auto [row, plane] = rows_.of(cell);
    return by_rows_ ? row : plane;
  }
  const std::vector<int>& places(int plane) const { return places_[std::size_t(plane + 1)]; }
  index_t moved(index_t cell, int place) const {
    const auto [row, plane] = rows_.of(cell);
    return cell - rows_.begin(row, plane) + (by_rows_ ? own_.begin(place, plane) : own_.begin(row, place));
  }

  /// Calls f(index in the list, cell of the part) for all copies of all cells.
  template <class Cell, class F>
  void each(std::size_t n, const Cell& cell, const F& f) const {
    for (std::size_t i = 0; i < n; ++i)
      for (const int place : places(plane(cell(i)))) f(i, moved(cell(i), place));
  }
  /// The same, by increasing cells, of a list that is increasing.
  template <class F>
  void each_sorted(const std::vector<index_t>& cells, const F& f) const {
    const auto of_stretch = [&](auto from, auto to, index_t begin, index_t size, int place) {
      from = std::lower_bound(from, to, begin);
      to = std::lower_bound(from, to, begin + size);
      for (auto at = from; at != to; ++at) f(std::size_t(at - cells.begin()), moved(*at, place));
    };
    if (!by_rows_)
      return each_place(
          [&](int l, int g) { of_stretch(cells.begin(), cells.end(), planes_.begin(g), planes_.size(), l); });
    for (int k = -1; k <= planes_.count(); ++k) {
      const auto from = std::lower_bound(cells.begin(), cells.end(), planes_.begin(k)),
                 to = std::lower_bound(from, cells.end(), planes_.begin(k) + planes_.size());
      if (from != to)
        each_place([&](int l, int g) { of_stretch(from, to, rows_.begin(g, k), rows_.size(), l); });
    }
  }
  /// Calls f(place, plane of the problem) for all planes of the part that are some of the problem.
  template <class F>
  void each_place(const F& f) const {
    for (int l = -1; l <= slab_.count(); ++l)
      if (const int g = slab_.at(l); g != Slab::ghost) f(l, g);
  }

  void media(Problem& part) const;
  void tensor(Problem& part) const;
  void dispersive(Problem& part) const;
  void cut_media(Problem& part) const;
  void sources(Problem& part) const;
  void recorders(Problem& part) const;
  void fouriers(Problem& part) const;

 private:
  const Problem& problem_;
  const Slab& slab_;
  Planes planes_;
  Rows rows_, own_;                       ///< of the problem, of the part
  bool by_rows_;                          ///< cut across them
  std::vector<std::vector<int>> places_;  ///< [plane + 1]
};

}  // namespace umov::fdtd::ranks
