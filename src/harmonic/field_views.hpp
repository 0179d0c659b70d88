// Fields at the nodes of the grid: cuts through a cell, and E of all of it.
#pragma once

#include <span>
#include <vector>

#include "harmonic/cell.hpp"
#include "harmonic/incident.hpp"
#include "harmonic/simulation.hpp"

namespace umov::harmonic {

/// Of the nodes of a plane: |E|^2 over the incident one, squares averaged to the node, and absorbed power per
/// um^3 over the incident power per um^2; [rows][columns]: rows are planes of the grid (xz, yz) or y (xy).
struct Cut {
  int rows = 0, columns = 0;
  std::vector<double> intensity, absorption;
};

/// Node `index` along the axis that the plane does not have; of xz and yz the planes [begin, end).
Cut take_cut(const Problem&, const Fields&, const IncidentWave&, CutPlane, int index, int begin, int end);

/// E at the nodes of plane k, with its Bloch phase: re then im of x, y, z of each node [ny][nx][3]. Each
/// component is the mean of its two edges beside the node. |E| of the incident wave is 1.
void field_at_nodes(const Problem&, const Fields&, int k, std::span<cplx> out);

/// |E|^2, absorption as in a cut, and the number of the medium, at the nodes of plane k [ny][nx].
void intensity_at_nodes(const Problem&, const Fields&, int k, std::span<double> out);
void absorption_at_nodes(const Problem&, const Fields&, const IncidentWave&, int k, std::span<double> out);
void media_at_nodes(const LayeredCell&, int k, std::span<double> out);

}  // namespace umov::harmonic
