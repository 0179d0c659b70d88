// Where a monitor is: its extent checked against the domain and its absorbing layers.
#pragma once

#include <string>
#include <vector>

#include "fdtd/problem.hpp"
#include "fdtd/simulation.hpp"

namespace umov::fdtd {

struct Region {
  Vec3 lo{0, 0, 0}, hi{0, 0, 0};
  /// Per axis: whether it reaches through a symmetry plane (at 0), behind which lies its mirror image.
  std::array<bool, 3> mirrored{};
  /// How often the computed part occurs in the whole.
  int copies() const { return (1 << mirrored[0]) * (1 << mirrored[1]) * (1 << mirrored[2]); }
};

/// The domain's corners, with (`whole`) and without (`inner`) its absorbing layers.
struct DomainBounds {
  Region whole, inner;
  explicit DomainBounds(const Problem&);
};

/// "monitor 'name'" as messages call it.
std::string called(const MonitorSpec&);

/// Corners of the monitor on the active axes, 0 elsewhere, cut off at symmetry planes (a region that reaches
/// through one is taken as symmetric about it); an infinite size reaches from absorbing layer to absorbing
/// layer. Throws BadInput when a size is negative or a part lies outside the domain or all of it behind a
/// symmetry plane (a millionth of a cell is forgiven).
Region region_of(const MonitorSpec&, const Simulation&, const Problem&);

/// Whether any part of the extent lies in an absorbing layer.
bool in_layers(const Region&, const Problem&);

/// The node nearest to a coordinate, from 0 to the number of cells.
int nearest_node(const Grid&, int axis, double x);

/// The components a monitor records: its own list, or Ez (one, tm), Hz (te), all E (full). Throws BadInput
/// for a component that this mode does not have.
std::vector<Component> recorded_components(const MonitorSpec&, Mode);

/// "Ez".
const char* component_name(int component);

}  // namespace umov::fdtd
