// What a part of a problem exchanges with the parts beside it, for the engine that steps it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "comm/communicator.hpp"
#include "core/types.hpp"

namespace umov::fdtd {

/// Places in one of the arrays that change with time, counted as an engine saves them.
struct ArrayPlaces {
  int array = 0;
  std::vector<index_t> places;
};
/// What goes to a rank and what comes from it; a rank may be its own neighbour across a period.
struct BorderMessage {
  int rank = 0;
  std::vector<ArrayPlaces> sent, received;
};

/// Whether a part's inner planes are stepped while copies travel, where its kernels can.
enum class Overlap { where_it_pays, always, never };

/// Planes own_begin <= k < own_end of the part are its own; the others are copies, right for `steps` steps.
/// Of a block, which is cut across rows, too, so are the rows first_row <= j < last_row; last_row = 0: all.
struct OwnCells {
  int steps = 1;
  int own_begin = 0, own_end = 0;
  int first_row = 0, last_row = 0;
};
struct Border : OwnCells {
  std::vector<BorderMessage> messages;
  std::function<std::unique_ptr<comm::Channel>(const comm::Queue&)> open;
  Overlap overlap = Overlap::where_it_pays;
};

/// An exchange as a stepper sees it that has what others copy ready before the rest.
struct BorderCalls {
  std::function<void()>
      start;  ///< the arrays that change are those in the state, and their sent planes final
  std::function<void()> finish;  ///< copied planes may be read and written again
};

}  // namespace umov::fdtd
