// The outcome of a run of a time-harmonic cell.
#pragma once

#include <string>
#include <vector>

#include "harmonic/budget.hpp"
#include "harmonic/orders.hpp"
#include "harmonic/simulation.hpp"
#include "run/machine.hpp"

namespace umov::harmonic {

/// Where light comes from, in degrees.
struct Incidence {
  double angle = 0, azimuth = 0;
  bool operator==(const Incidence&) const = default;
};

/// A row of every table: one wavelength (um) at one incidence.
struct Row {
  double wavelength = 0;
  Incidence incidence;
  bool operator==(const Row&) const = default;
};

/// One row in one polarization.
struct SpectrumPoint {
  Budget budget;  ///< of a flat cell exact, of a rough one the grid's
  /// Largest error of a power on the same grid of the cell without its textures: of a flat cell that of its
  /// fields, of a rough one the part that is known.
  double grid_error = 0;
  long iterations = 0;
  double residual = 0;
  bool converged = true;
  std::vector<DiffractionOrder> orders;  ///< where they are asked for

  double efficiency(bool transmitted) const {
    double sum = 0;
    for (const auto& o : orders) sum += o.transmitted == transmitted ? o.efficiency() : 0;
    return sum;
  }
};

/// Points of one polarization, one per row.
struct Spectrum {
  Polarization polarization = Polarization::s;
  std::vector<SpectrumPoint> points;
};

struct FieldCut {
  Row row;
  Polarization polarization = Polarization::s;
  int number = 0;  ///< of the case's cuts, from 0
  CutPlane plane = CutPlane::xz;
  double at = 0;  ///< um, of the nodes taken
  int rows = 0, columns = 0;
  std::vector<double> intensity, absorption;  ///< [rows][columns], see Cut
};

/// What sunlight does at one incidence whose every wavelength is there; means over the polarizations.
struct Sunlit {
  Incidence incidence;
  std::vector<std::vector<double>>
      generation;                ///< absorbed photons per depth [media][planes], m^-2 s^-1 um^-1
  std::vector<double> currents;  ///< mA/cm^2 per medium, were every absorbed photon one electron

  double generation_at(int plane) const {
    double sum = 0;
    for (const auto& medium : generation) sum += medium[plane];
    return sum;
  }
};

struct Outcome {
  Simulation simulation;
  run::Machine machine;
  CellGrid grid;
  int first_plane = 0, top = 0,
      planes = 0;  ///< plane at depth 0; first plane and number of those shown
  int rough_planes = 0;
  std::vector<std::string> media;  ///< names: superstrate, layers, substrate
  std::vector<Incidence> incidences;
  std::vector<Row> rows;  ///< finished ones: incidences slowest, wavelengths fastest
  std::size_t wanted_rows = 0, taken_over = 0;
  std::vector<Spectrum> spectra;
  std::vector<FieldCut> cuts;
  /// Depths (um) of the interfaces along the cuts of xz and yz [cut][interface][columns].
  std::vector<std::vector<std::vector<double>>> interfaces;
  std::string light;
  std::vector<double> photons;  ///< weight of each wavelength, see photon_weights; m^-2 s^-1
  std::vector<Sunlit> sunlit;
  double available_current = 0;  ///< of all photons between the wavelengths
  bool converged = true;
  std::string why_not;
  double seconds = 0;
  std::string backend, device, version;
  std::string ranks;  ///< what the log says of several; empty: one
  MemoryNeed memory;  ///< estimated
  std::vector<std::string> warnings, notes;

  bool complete() const { return rows.size() == wanted_rows; }
  double depth(int plane) const { return (top + plane - first_plane) * grid.spacing[2]; }
  /// Mean over the polarizations.
  template <class F>
  double mean(std::size_t row, const F& f) const {
    double sum = 0;
    for (const auto& s : spectra) sum += f(s.points[row]);
    return sum / double(spectra.size());
  }
};

/// Fields of one row and polarization while they are there.
struct SolvedFields {
  const LayeredCell& cell;
  const Problem& problem;
  const Fields& fields;
  const IncidentWave& wave;
  const Outcome& outcome;  ///< so far: the grid and what is shown of it
  Row row;
  Polarization polarization;
};

}  // namespace umov::harmonic
