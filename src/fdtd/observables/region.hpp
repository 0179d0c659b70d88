// Where a monitor is: its extent checked against the domain and its absorbing layers.
#pragma once

#include <string>
#include <vector>

#include "fdtd/observables/whole.hpp"

namespace umov::fdtd {

struct Region {
  Vec3 lo{0, 0, 0}, hi{0, 0, 0};
};

/// Corners of the whole domain, with (`whole`) and without (`inner`) its absorbing layers.
struct DomainBounds {
  Region whole, inner;
  explicit DomainBounds(const Whole&);
};

/// "monitor 'name'" as messages call it.
std::string called(const MonitorSpec&);

/// Corners of the monitor in the whole domain on the active axes, 0 elsewhere; an infinite size reaches from
/// absorbing layer to absorbing layer. Throws BadInput when a size is negative or a part lies outside the
/// domain (a millionth of a cell is forgiven).
Region region_of(const MonitorSpec&, const Whole&);

/// Whether any part of the extent lies in an absorbing layer.
bool in_layers(const Region&, const Whole&);

/// The components a monitor records: its own list, or Ez (one, tm), Hz (te), all E (full). Throws BadInput
/// for a component that this mode does not have.
std::vector<Component> recorded_components(const MonitorSpec&, Mode);

}  // namespace umov::fdtd
