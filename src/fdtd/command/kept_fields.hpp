// The last fields of a run in time, for viewers who stay when its engine has gone.
#pragma once

#include <vector>

#include "fdtd/command/live_arrays.hpp"

namespace umov::fdtd {

/// A maker for each field, none for running means. Reduced to 512 MiB where they would take more.
std::vector<view::Maker> kept_fields(const Prepared&, const March&, const std::vector<LiveField>&);

}  // namespace umov::fdtd
