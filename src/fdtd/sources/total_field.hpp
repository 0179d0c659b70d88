// The box of total field of a plane wave as the grid has it, for what is said and drawn before a run.
#pragma once

#include <string>
#include <vector>

#include "fdtd/sources/plane_wave.hpp"

namespace umov::fdtd {

/// The walls of a case on its grid, without materials.
Problem bare_problem(const Simulation&, const Grid&);

/// The box of a plane wave; an extent without end is one that the program chooses. Throws BadInput as
/// plane_wave_box.
TotalFieldBox total_field_box(const SourceSpec&, const Simulation&, const Grid&);

/// Where the box ends on a side: at a face, or with the domain.
double end_of(const TotalFieldBox&, const Grid&, int axis, int side);

/// "x from -1.2 to 1.2, y everywhere".
std::string describe(const TotalFieldBox&, const Grid&);

/// A line "source 'NAME': total field in ..." for every plane wave whose box a case allows that has been made
/// ready: its absorbing layers are those of the run.
std::vector<std::string> total_field_lines(const Simulation&, const Grid&);

}  // namespace umov::fdtd
