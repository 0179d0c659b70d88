// Items in a row.
#pragma once

#include "core/types.hpp"

namespace umov::fdtd::ranks {

/// begin <= i < end.
struct Stretch {
  index_t begin = 0, end = 0;
  index_t length() const { return end - begin; }
};

}  // namespace umov::fdtd::ranks
