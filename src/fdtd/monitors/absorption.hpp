// Monitors of kind absorption: the power that media take in a region, and the energy that fields have there.
#pragma once

#include <string>
#include <vector>

#include "fdtd/monitors/kind.hpp"

namespace umov::fdtd {

struct AbsorptionSpec {
  bool energy = false;  ///< also the energy of the fields: transforms of all edges and faces of the region
};

/// Power absorbed in a region, per frequency, of Fourier transforms as FluxResult's: what conductivities,
/// poles and absorbers take, (1/2) W Im eps |E|^2 per volume with W = (2 / dt) sin(w dt / 2) and the
/// permittivity of the grid's own update, so that it is what flux monitors around the region miss, to
/// rounding. Energies are means over time, (1/4) |E|^2 times the energy that media store per E^2 / 2 (Loudon
/// 1970, J. Phys. A 3, 233), (1/4) mu |H|^2.
struct AbsorptionResult {
  std::string name;
  std::vector<double> frequency, absorbed;
  std::vector<std::string> materials;            ///< that absorb
  std::vector<std::vector<double>> by_material;  ///< [material][frequency]
  std::vector<double> electric, magnetic;        ///< energies; empty where they were not asked for
  std::string normalized_by;                     ///< the monitor whose flux is 1; "": none was named
  std::vector<double> incident;                  ///< its flux; empty without a name
  std::vector<double> cross_section;             ///< absorbed / intensity of the case's only plane wave
  int extents = 0;                               ///< axes along which the region has an extent
  Vec3 origin{0, 0, 0};                          ///< of its first node
  Int3 size{1, 1, 1};                            ///< nodes
  /// Densities at the nodes, [frequency][z][y][x]. Their sum, nodes at ends counting half, times the volume
  /// of a cell is the total.
  std::vector<float> density, electric_density, magnetic_density;
};

/// Throws BadInput naming the monitor.
Part make_absorption(const MonitorSpec&, const Simulation&, const Scene&, Problem&);

}  // namespace umov::fdtd
