// Designs of experiments: which combinations of the axes' values are computed.
#pragma once

#include <string>
#include <vector>

#include "cases/design_parameters.hpp"
#include "sweep/axis.hpp"

namespace umov::sweep {

/// Takes what [batch] says of a design and its surfaces from a case, the table's file as the case has it;
/// adds where it says so to `places`.
cases::DesignSpec take_design(Tree& base, const std::string& folder, Origins& places);
/// JSON Schema of a case that has this table alone.
std::string design_schema();
/// Throws BadInput for what was given (has a place) and is read by neither the design nor the surfaces, the
/// default among them; what the `file` alone said and a flag has made idle is let through.
void refuse_idle(const cases::DesignSpec&, const Origins& places, const cases::DesignSpec& file);
/// As that table; nothing where it says no more than the defaults.
void put_design(Tree& base, const cases::DesignSpec&);

/// A number on each axis for each case; empty where axes are crossed. Axes of a table get the values that
/// occur. Throws BadInput: words on an axis, a table that does not fit its axes, no number of points.
std::vector<std::vector<double>> points_of(const cases::DesignSpec&, std::vector<Axis>&);

/// A Latin hypercube in the unit cube: in each of `dimensions` every interval k/n to (k + 1)/n holds one of
/// the n points, in the middle (McKay, Beckman and Conover 1979, without jitter). Of some random ones the one
/// whose nearest points are farthest apart (Johnson, Moore and Ylvisaker 1990). The same for a seed on every
/// machine.
std::vector<std::vector<double>> latin_hypercube(int n, int dimensions, int seed);

}  // namespace umov::sweep
