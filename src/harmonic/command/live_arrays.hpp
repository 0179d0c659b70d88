// The arrays of a time-harmonic cell on its way: its layers, fields in cuts.
#pragma once

#include <utility>
#include <vector>

#include "harmonic/run/run.hpp"
#include "view/stored.hpp"

namespace umov::harmonic {

/// Adds the numbers of the media (0: superstrate) in each cut that runs down.
void add_layers(view::Shelf&, const Plan&, const Outcome& outline);

/// |E|^2 and the absorption of a finished cut with their makers.
std::vector<std::pair<view::ArrayInfo, view::Maker>> cut_fields(const Outcome& outline, const FieldCut&);

}  // namespace umov::harmonic
