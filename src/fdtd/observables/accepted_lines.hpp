// Lines that an inversion accepts as the signal's, and how they lie beside each other.
#pragma once

#include <cstddef>
#include <vector>

#include "fdtd/observables/filter_diagonalisation.hpp"

namespace umov::fdtd::inversion {

struct AcceptedLine {
  Line line;
  double deviation;   ///< standard deviation of the angular frequency
  double reach;       ///< angular frequencies nearer than this are the same line
  double pair = 0;    ///< the nearest line of a pair that this one would be is at most this far off
  double hidden = 0;  ///< the same of a pair that noise would hide
};

std::vector<Line> lines_of(const std::vector<AcceptedLine>&);

/// Square of the distance to the nearest line; infinite where there is none.
double nearest(const Line&, const std::vector<Line>&);

/// The line and those so near that a record of `samples` resolves them only by their course.
std::vector<Line> cluster_of(const AcceptedLine&, const std::vector<AcceptedLine>&, std::size_t samples);

/// Two that noise may exchange are not known as two.
void drop_unresolved(std::vector<AcceptedLine>&);

/// Whether the list has a line already. Narrow lines that are not resolved are one; a broad one may lie
/// around narrow ones.
bool is_known(const std::vector<AcceptedLine>&, const AcceptedLine&, bool narrow);

}  // namespace umov::fdtd::inversion
