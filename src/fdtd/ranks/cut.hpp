// How a grid is cut among ranks: into slabs across its last axis, or in space into blocks across the last
// two.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fdtd/machine.hpp"
#include "fdtd/problem.hpp"
#include "fdtd/ranks/slab.hpp"
#include "fdtd/simulation.hpp"

namespace umov::fdtd::ranks {

/// Rank r has the rows of its part of `rows` in the planes of its part of `planes`; slabs have all rows.
/// Ranks from ranks() on have nothing.
struct Cut {
  int rows_axis = -1, planes_axis = 0;  ///< see Rows
  std::vector<index_t> rows{0, 1};      ///< where those of the parts begin, and their end
  std::vector<index_t> planes{0, 1};

  int across_rows() const { return int(rows.size()) - 1; }
  int across_planes() const { return int(planes.size()) - 1; }
  bool blocks() const { return across_rows() > 1; }
  int ranks() const { return across_rows() * across_planes(); }
  /// Who has a row of a plane; ghosts count with those beside them.
  int rank_of(int row, int plane) const;
  /// Of from <= g < to across an axis, what is rank r's; the walls' ghosts, the first and one behind the
  /// last, count with the planes beside them.
  std::pair<int, int> stretch(int r, int axis, int from, int to) const;
  /// "2 x 4 blocks across y and z"
  std::string text() const;
};

/// What copies cost, beside a cell that a rank steps.
struct CopyCosts {
  int steps = 1;      ///< between two exchanges
  double travel = 0;  ///< of a cell that is received once
  double hidden = 0;  ///< of a slab's own work, what passes while its copies travel
};
/// On processors, and on GPUs.
CopyCosts copy_costs(const Problem&, int steps, bool on_gpus);

/// Throws BadInput for blocks of a grid that has none.
void require_cut(const Grid&, RankCut);
/// The cut asked for; automatic: the one whose fullest rank has least to do, slabs unless blocks save 3 %.
/// Throws as require_cut does.
Cut choose_cut(const Problem&, int ranks, RankCut asked, const CopyCosts&);
/// So many parts across rows and planes.
Cut make_cut(const Problem&, int across_rows, int across_planes);

/// What rank r < cut.ranks() has, copies included, that are right for so many steps.
Block make_block(const Problem&, const Cut&, int r, int steps);

}  // namespace umov::fdtd::ranks
