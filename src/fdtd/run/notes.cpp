// Notes on a run before it: walls, averaging, memory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fdtd/run/prepare.hpp"
#include "fdtd/sources/band.hpp"
#include "fdtd/wall_kind.hpp"

namespace umov::fdtd {

namespace {

std::string wall_note(const Simulation& sim, const Grid& g) {
  bool any = false;
  for (int a = 0; a < 3; ++a)
    for (const WallKind w : sim.walls[a]) any |= g.active(a) && w == WallKind::pml;
  if (!any) return "no absorbing layers: every wall reflects or repeats";
  return fmt::format("absorbing layers: {} cells, order {:g}, inside the domain", sim.pml.layers,
                     sim.pml.order);
}

/// Bytes that poles move at an edge (its place, E twice and two states of each pole in and out) by those of a
/// field that is read and written once; three of six components have edges.
double pole_traffic(std::size_t poles) { return (8 + 8 + 16.0 * double(poles)) / 8 / 2; }

}  // namespace

std::string background_note(const Simulation& sim, const Scene& scene) {
  const auto& medium = scene.materials()[0];
  if (!medium.dispersive()) return "";
  std::string text = fmt::format(
      "the background '{}' has {} pole(s) at every edge of the grid, which move about {:.2g} times the "
      "memory "
      "of a step without them",
      sim.background, medium.poles.size(), 1 + pole_traffic(medium.poles.size()));
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const SourceSpec& s : sim.sources) {
    const auto [from, to] = band_above(s.waveform, faint_share);
    low = std::min(low, from), high = std::max(high, to);
  }
  if (!(low > 0 && low < high && std::isfinite(high))) return text;
  const auto index = [&](double f) { return std::sqrt(medium.permittivity(2 * pi * f)).real(); };
  return text +
         fmt::format(
             "; its index is {:.5g} to {:.5g} over the band of the sources: where that is constant enough, "
             "a [[material]] with index = {:.5g} as the background is as fast as vacuum",
             index(low), index(high), index((low + high) / 2));
}

std::vector<std::string> accuracy_notes(const Simulation& sim, const Grid& g) {
  return {wall_note(sim, g),
          sim.averaging ? "the permittivity of cells on an edge is averaged: second order in the cell"
                        : "the permittivity is not averaged: edges are stairs, the error is of first order"};
}

bool complex_fields(const Prepared& p) {
  bool any = false;
  for (int a = 0; a < 3; ++a) any |= p.grid.active(a) && turns(p.sim.walls[a][0]) && p.sim.bloch[a] != 0;
  return any;
}

std::size_t estimate_bytes(const Prepared& p) {
  const Simulation& sim = p.sim;
  const Grid& g = p.grid;
  const std::size_t value = (sim.precision == Precision::double_ ? 8 : 4) * (complex_fields(p) ? 2 : 1);
  const std::size_t cells = Layout(g).size;
  const bool uniform = p.scene->materials().size() == 1 && sim.absorbers.empty();
  // faces that conductors cut or absorbers hold have coefficients of their own
  const bool cut =
      !sim.absorbers.empty() ||
      (sim.averaging && std::ranges::any_of(p.scene->materials(), &materials::Material::perfect_conductor));
  std::size_t bytes = 0;
  for (int c = 0; c < components; ++c)
    if (has_component(g.mode, c))
      bytes += cells * (value + ((is_electric(c) ? !uniform : cut) ? sizeof(std::uint16_t) : 0));
  for (int a = 0; a < 3; ++a)
    for (const WallKind w : sim.walls[a])
      if (g.active(a) && w == WallKind::pml)  // two derivatives of E and two of H per layer and cell
        bytes += cells / std::size_t(g.cells[a]) * std::size_t(sim.pml.layers) * 4 * value;
  return bytes;
}

}  // namespace umov::fdtd
