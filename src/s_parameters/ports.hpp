// Ports of S-parameters in a planned run: room behind them, planes that meet, directions.
#pragma once

#include <string>
#include <vector>

#include "fdtd/outcome.hpp"

namespace umov::s_parameters {

/// Names of axes.
inline constexpr const char* axes[] = {"x", "y", "z"};

/// Where the layers, or walls without any, begin beyond a port.
double end_beyond(const fdtd::FoundPort&, const fdtd::Outcome& planned);

/// Throws BadInput for a port that leaves towards a wall which sends its waves back.
void refuse_walls(const fdtd::FoundPort&, const fdtd::Simulation&);

/// Throws BadInput for two ports that share a part of a plane.
void refuse_shared_planes(const std::vector<fdtd::FoundPort>&, const fdtd::Outcome& planned);

/// Throws BadInput for a port that leaves towards the plane of another one: its source would stand between
/// the two and send away from what its direction says to be the structure. With absorbers in the domain its
/// guide may end before the other's plane.
void refuse_facing_ports(const std::vector<fdtd::FoundPort>&, const fdtd::Outcome& planned);

/// Says of each port where on the grid it is measured, if that is another plane than its own.
void note_planes(const std::vector<fdtd::FoundPort>&, const fdtd::Outcome& planned,
                 std::vector<std::string>& notes);

/// What is doubted of their directions: ports that leave towards others, or away from the wall nearest to
/// them.
std::vector<std::string> doubts_of(const std::vector<fdtd::FoundPort>&, const fdtd::Outcome& planned);

}  // namespace umov::s_parameters
