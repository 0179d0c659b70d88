// What a run of a time-harmonic cell leaves.
#pragma once

#include <string>
#include <vector>

#include "fdtd/harmonic/budget.hpp"
#include "fdtd/harmonic/simulation.hpp"

namespace umov::fdtd::harmonic {

/// One wavelength in one polarization.
struct SpectrumPoint {
  Budget budget;
  double grid_error =
      0;  ///< of the cell without its textures on the same grid: the largest of its powers' errors
  long iterations = 0;
  double residual = 0;
  bool converged = true;
};

/// Points of one polarization, one per wavelength.
struct Spectrum {
  Polarization polarization = Polarization::s;
  std::vector<SpectrumPoint> points;
};

struct FieldCut {
  double wavelength = 0;
  Polarization polarization = Polarization::s;
  std::vector<double> intensity, absorption;  ///< [planes][nx], see Cut
};

struct Outcome {
  Simulation simulation;
  CellGrid grid;
  int first_plane = 0, top = 0,
      planes = 0;  ///< plane at depth 0; first plane and number of those shown
  int rough_planes = 0;
  std::vector<std::string> media;  ///< names: superstrate, layers, substrate
  std::vector<Spectrum> spectra;
  std::vector<FieldCut> cuts;
  std::vector<std::vector<double>> interfaces;  ///< of the cut y = 0: depth (um) over x [interface][nx]
  std::string light;
  std::vector<double> photons;     ///< weight of each wavelength, see photon_weights; m^-2 s^-1
  std::vector<double> generation;  ///< absorbed photons per depth [planes], m^-2 s^-1 um^-1
  std::vector<double> currents;    ///< mA/cm^2 per medium, were every absorbed photon one electron
  double available_current = 0;    ///< of all photons between the wavelengths
  bool converged = true;
  std::string why_not;
  double seconds = 0;
  std::string backend, device, version;
  MemoryNeed memory;  ///< estimated
  std::vector<std::string> warnings, notes;

  double depth(int plane) const { return (top + plane - first_plane) * grid.spacing[2]; }
  /// Mean over the polarizations.
  template <class F>
  double mean(std::size_t wavelength, const F& f) const {
    double sum = 0;
    for (const auto& s : spectra) sum += f(s.points[wavelength]);
    return sum / double(spectra.size());
  }
};

}  // namespace umov::fdtd::harmonic
