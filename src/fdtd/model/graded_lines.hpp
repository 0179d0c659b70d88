// Lines of graded axes: from what a case gives, or from wavelengths in its materials.
#pragma once

#include <span>

#include "fdtd/model/extent.hpp"
#include "fdtd/scene.hpp"

namespace umov::fdtd {

/// A bound of the edges of cells in part of an axis, whose ends are lines.
struct EdgeBound {
  double from = 0, to = 0, edge = 0;
  bool equal = false;  ///< all cells are alike there, and are so many that `edge` divides it into
};

/// Lines from the first `from` to the last `to` of bounds that follow each other: no cell is longer than a
/// bound allows, and neighbours differ by a factor of `growth` at most. Between two ends the cells follow the
/// largest edge function with these bounds and a slope that this growth allows. Throws BadInput when no such
/// lines are found.
std::vector<double> lines_within(std::span<const EdgeBound>, double growth);

/// Most that an edge of a graded case's cells may have, before bodies are known. Throws BadInput where
/// neither resolution nor a source's frequency tells.
double longest_edge(const Simulation&, Mode);

/// The lines of an axis' computed part. Lines that a case gives are taken as they are; else there is a line
/// at the ends of parts and, where materials choose, at the bounds of every body. The cells of absorbing
/// layers and eight before them are alike. Throws BadInput naming the axis.
std::vector<double> graded_lines(const Simulation&, const Scene&, const Extent&, int axis);

}  // namespace umov::fdtd
