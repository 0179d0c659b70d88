// All recorders of one interval as one list of channels, cut into pieces of bounded length.
#pragma once

#include <vector>

#include "fdtd/kernels/samples.hpp"
#include "fdtd/planes.hpp"
#include "fdtd/problem.hpp"

namespace umov::fdtd {

/// Channels of several recorders, one behind the other; a channel is the sum of its pieces, a piece that of
/// its rows.
struct RecorderList {
  int interval = 1;
  std::vector<int> recorders;             ///< which, in the problem
  std::vector<index_t> first_channel{0};  ///< [recorder of the list + 1]
  std::vector<Piece> pieces;
  std::vector<index_t> first_piece{0};  ///< [channel + 1]
  std::vector<index_t> first_point{0};  ///< [row + 1]
  std::vector<index_t> cell;            ///< [point]
  std::vector<double> weight;           ///< [point]
  index_t channels() const { return first_channel.back(); }
};

/// Where the piece that begins at point `first` of a channel ends; the channel ends at `last`.
index_t piece_end(const Recorder&, const Planes&, index_t first, index_t last);

/// Where the row of points that begins at point `first` of a piece ends; the piece ends at `last`. A row of
/// points lies in one row of the grid.
index_t row_end(const Recorder&, const Rows&, index_t first, index_t last);

/// One list per interval that occurs.
std::vector<RecorderList> compile_recorders(const Problem&);

}  // namespace umov::fdtd
