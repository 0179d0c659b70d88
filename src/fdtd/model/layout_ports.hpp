// Ports: where guides leave a layout, by texts, pins or as the case says, or a model of bodies.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fdtd/simulation.hpp"
#include "layout/region.hpp"

namespace umov::fdtd {

/// How the layout, in database units, lies in the domain.
struct LayoutFrame {
  double scale = 1;  ///< units of the case in a database unit
  layout::Place middle{0, 0};
  layout::Box window;
};

/// A layer's name, or its number from 1 where it has none.
std::string port_layer_name(const LayerSpec&, std::size_t number);

/// The ports of a case whose layers cover `drawn` in the window. A text on the layer of ports names the end
/// of a guide that it lies on, or the pin (a path of two points, outward) across it. What texts are none is
/// reported. Throws BadInput for ports of the case that lie on no end, and for two of one name.
std::vector<FoundPort> find_ports(Simulation&, const layout::Hierarchy&, std::uint32_t top,
                                  const LayoutFrame&, const std::map<layout::LayerId, layout::Loops>& drawn);

/// The ports of a case: those of its layout, if that was applied, then those with a place in the domain.
/// Throws BadInput for two of one name.
std::vector<FoundPort> ports_of(const Simulation&);

/// Gives sources and monitors that name a port their planes. Throws BadInput naming them.
void place_in_ports(Simulation&);

}  // namespace umov::fdtd
