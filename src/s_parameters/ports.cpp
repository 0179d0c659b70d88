#include "s_parameters/ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace umov::s_parameters {

using fdtd::FoundPort, fdtd::Simulation;

namespace {

/// The plane of a port, as its monitors have it.
const fdtd::MonitorSpec& plane_of(const FoundPort& p, const Simulation& placed) {
  return *std::ranges::find(placed.monitors, p.name, &fdtd::MonitorSpec::port);
}

bool overlap(const FoundPort& a, const FoundPort& b, const Simulation& placed, double dx) {
  const auto one = plane_of(a, placed), two = plane_of(b, placed);
  if (a.axis != b.axis || std::abs(one.center[a.axis] - two.center[b.axis]) > dx / 2) return false;
  for (int k = 0; k < 3; ++k)
    if (k != a.axis && placed.size[k] > 0 &&
        std::abs(one.center[k] - two.center[k]) > (one.size[k] + two.size[k]) / 2 - dx / 2)
      return false;
  return true;
}

/// Whether what leaves at a port comes to the other: each lies before the other's plane.
bool leaves_towards(const FoundPort& a, const FoundPort& b, const Simulation& placed, double dx) {
  if (a.axis != b.axis || (b.at[a.axis] - a.at[a.axis]) * a.sign < dx / 2) return false;
  const auto one = plane_of(a, placed), two = plane_of(b, placed);
  for (int k = 0; k < 3; ++k)
    if (k != a.axis && std::abs(a.at[k] - b.at[k]) > std::min(one.size[k], two.size[k]) / 2) return false;
  return true;
}

}  // namespace

double end_beyond(const FoundPort& p, const fdtd::Outcome& planned) {
  const fdtd::Grid& g = planned.grid;
  const Simulation& sim = planned.simulation;
  const bool layers = sim.walls[p.axis][p.sign > 0] == fdtd::WallKind::pml;
  const double low = g.origin[p.axis], high = low + g.length(p.axis);
  const double thickness = layers ? sim.pml.layers * g.edge(p.axis, p.sign > 0 ? g.cells[p.axis] - 1 : 0) : 0;
  return p.sign > 0 ? high - thickness : low + thickness;
}

void refuse_walls(const FoundPort& p, const Simulation& sim) {
  const fdtd::WallKind wall = sim.walls[p.axis][p.sign > 0];
  if (wall == fdtd::WallKind::pml || !sim.absorbers.empty()) return;
  throw BadInput(fmt::format(
      "port '{}' leaves towards a wall that sends its waves back (the walls along {} do not absorb); set "
      "{} = \"pml\" under [boundary], or put an [[absorber]] there",
      p.name, axes[p.axis], axes[p.axis]));
}

void refuse_shared_planes(const std::vector<FoundPort>& ports, const fdtd::Outcome& planned) {
  for (std::size_t i = 0; i < ports.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (overlap(ports[i], ports[j], planned.simulation, planned.grid.dx))
        throw BadInput(
            fmt::format("ports '{}' and '{}' have one plane, or a part of it (what one sends in the other "
                        "takes for its own); "
                        "{}, move one, or leave it out of `s_parameters.ports`",
                        ports[j].name, ports[i].name,
                        ports[i].plane ? "make the planes smaller" : "give a smaller `layout.port_margin`"));
}

namespace {

/// A port's direction, or the opposite one.
std::string way(const FoundPort& p, int sign) {
  return fmt::format("{}{}", p.sign * sign > 0 ? '+' : '-', axes[p.axis]);
}

/// Whether a port leaves away from the wall that is nearest to it along its axis, to the side where all
/// others are: its direction was taken for that of the wave.
bool looks_inward(const FoundPort& p, const std::vector<FoundPort>& ports, const fdtd::Outcome& planned) {
  FoundPort turned = p;
  turned.sign = -p.sign;
  const double there = std::abs(end_beyond(p, planned) - p.at[p.axis]),
               behind = std::abs(end_beyond(turned, planned) - p.at[p.axis]);
  return there > behind && std::ranges::all_of(ports, [&](const FoundPort& other) {
           return other.name == p.name || (other.at[p.axis] - p.at[p.axis]) * p.sign > planned.grid.dx / 2;
         });
}

}  // namespace

void refuse_facing_ports(const std::vector<FoundPort>& ports, const fdtd::Outcome& planned) {
  if (!planned.simulation.absorbers.empty()) return;
  for (const FoundPort& a : ports)
    for (const FoundPort& b : ports)
      if (&a != &b && leaves_towards(a, b, planned.simulation, planned.grid.dx))
        throw BadInput(fmt::format(
            "port '{}' leaves along {} towards port '{}' (a direction is out of the structure, not that of "
            "the wave that is sent in: the source would stand between the two and send the other way); set "
            "the direction of '{}' to \"{}\"",
            a.name, way(a, 1), b.name, a.name, way(a, -1)));
}

void note_planes(const std::vector<FoundPort>& ports, const fdtd::Outcome& planned,
                 std::vector<std::string>& notes) {
  constexpr double slight = 1e-6;  // of a cell
  const fdtd::Grid& g = planned.grid;
  for (const FoundPort& p : ports) {
    // Behind a mirror the nodes are those before it.
    const double low = g.place(p.axis, 0), high = g.place(p.axis, g.cells[p.axis]), at = p.at[p.axis];
    const double turned = at < low ? 2 * low - at : at > high ? 2 * high - at : at;
    const double node = g.place(p.axis, std::round(g.index(p.axis, turned)));
    const double off = turned == at ? at - node : node - turned;
    if (std::abs(off) <= slight * g.finest(p.axis)) continue;
    notes.push_back(fmt::format(
        "port '{}': measured at the nearest node, {} = {:.9g}; amplitudes are moved by {:.6g} along {}, with "
        "the mode's beta on the grid, to {} = {:.9g}",
        p.name, axes[p.axis], at - off, off, axes[p.axis], axes[p.axis], at));
  }
}

std::vector<std::string> doubts_of(const std::vector<FoundPort>& ports, const fdtd::Outcome& planned) {
  std::vector<std::string> out;
  for (const FoundPort& a : ports) {
    bool told = false;
    for (const FoundPort& b : ports)
      if (!told && &a != &b && leaves_towards(a, b, planned.simulation, planned.grid.dx)) {
        out.push_back(
            fmt::format("port '{}' leaves along {} towards port '{}' (a direction is out of the structure, "
                        "and the source is on "
                        "that side; between ports that face each other nothing is measured); if the "
                        "structure lies there, set "
                        "its direction to \"{}\"",
                        a.name, way(a, 1), b.name, way(a, -1)));
        told = true;
      }
    if (!told && looks_inward(a, ports, planned))
      out.push_back(fmt::format(
          "port '{}' leaves along {}, away from the wall nearest to it{} (a direction is out of the "
          "structure, "
          "and the source is on that side); if the structure lies there, set its direction to \"{}\"",
          a.name, way(a, 1), ports.size() > 1 ? " and towards where all other ports are" : "", way(a, -1)));
  }
  return out;
}

}  // namespace umov::s_parameters
