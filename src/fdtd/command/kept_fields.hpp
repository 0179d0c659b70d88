// The last fields of a run in time, for viewers who stay when its engine has gone.
#pragma once

#include <vector>

#include "fdtd/command/live_arrays.hpp"

namespace umov::fdtd {

/// A maker for each field, none for running means. Reduced to 512 MiB where they would take more. `engine`:
/// the march's, asked on all of its ranks.
std::vector<view::Maker> kept_fields(const Prepared&, const March&, const Engine& engine,
                                     const std::vector<LiveField>&);

}  // namespace umov::fdtd
