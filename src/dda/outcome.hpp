// The outcome of a dipole run: typed results that all writers read.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dda/engine.hpp"
#include "dda/extrapolation.hpp"
#include "dda/machine.hpp"
#include "dda/simulation.hpp"

namespace umov::results {
class ImageFile;
}

namespace umov::dda {

using Mueller = std::array<double, 16>;  ///< S11, S12, ... S44, row by row
using Amplitude = std::array<cplx, 4>;   ///< S1, S2, S3, S4 (Bohren and Huffman 1983, eq. 3.12)

/// Enhancement of a dipole emitter's decay rate by the particle, relative to free space.
struct DecayRates {
  double total = 1, radiative = 1, nonradiative = 0;
};

/// Scalars and vectors of one incident polarization. Cross sections in um^2.
struct CrossSections {
  double cext = 0, cabs = 0;
  double difference_error = 0;               ///< bound of the error of Cext - Cabs
  bool balanced = false;                     ///< Cext is Cabs + Csca by integration, not the optical theorem
  std::optional<double> difference;          ///< Cext - Cabs with all its digits, where one is much smaller
  std::optional<double> csca;                ///< by integration of the scattered field
  std::optional<Vec3> csca_g;                ///< asymmetry vector times Csca
  double integral_error = 0;                 ///< estimated error of both (um^2)
  bool integrals_converged = true;           ///< that error is small beside Csca
  std::optional<Vec3> cpr;                   ///< radiation pressure, from the forces
  std::optional<Vec3> cext_a, csca_g_force;  ///< its two parts
  std::optional<DecayRates> decay;           ///< beam of kind dipole only
  double csca_difference() const { return difference.value_or(cext - cabs); }
};

/// One integration as a log_int file describes it: ADDA's, or by the rule of umov dda.
struct IntegrationLog {
  std::string name;  ///< file name, e.g. "log_int_Csca-Y"
  std::string text;
};

/// Label of the one result of an average over orientations.
inline constexpr char average_label = 'A';

struct PolarizationResult {
  char label = 'Y';       ///< 'Y' (parallel), 'X' (perpendicular), or `average_label`
  Vec3 inc_pol{0, 1, 0};  ///< laboratory frame
  CrossSections cross;
  std::optional<CrossSections> error;  ///< estimated and absolute, of an average over orientations
  SolveReport solve;
  std::vector<CVec3> alpha;                                   ///< polarizability used, per material (um^3)
  std::vector<CVec3> polarization, internal_field, incident;  ///< per dipole; filled only when asked for
  std::vector<Vec3> force;                                    ///< per dipole, ADDA's units
  /// |E|^2 / E0^2 inside, NaN in the void, on the planes through the middle: normal to x as [z][y], normal to
  /// y as [z][x]; filled where there are to be pictures.
  std::array<std::vector<double>, 2> cuts;
  std::vector<IntegrationLog> integration_logs;

  /// "Y", "X" or "average", for people and for the names of arrays.
  std::string name() const { return label == average_label ? "average" : std::string(1, label); }
  /// A solver that read or made a NaN has no result, whatever it says.
  bool finite() const {
    return std::isfinite(cross.cext) && std::isfinite(cross.cabs) && std::isfinite(solve.residual);
  }
};

struct ScatteringRow {
  /// Degrees. In a grid and the yz plane theta is measured from the propagation direction (in the plane up to
  /// 360), in the plane of `-scat_plane` from the laboratory's z axis; phi about the propagation direction
  /// from pol_x.
  double theta = 0, phi = 0;
  Mueller mueller{};
  Amplitude amplitude{};
  CVec3 e_y{}, e_x{};           ///< scattered far field (r/exp(ikr) E k) for the two polarizations
  double scattering_angle = 0;  ///< degrees, 0 to 180, from the propagation direction
};

struct PhiIntegral {
  std::string file;                  ///< mueller_integr, mueller_integr_c2, ...
  std::vector<double> theta, error;  ///< degrees; integration error as ADDA prints it, relative
  std::vector<Mueller> mueller;
};

struct Outcome {
  Simulation simulation;
  Machine machine;
  shapes::Particle particle;
  Int3 fft_grid{0, 0, 0};
  Vec3 propagation{0, 0, 1}, propagation_particle{0, 0, 1};
  bool symmetry_used = false;  ///< second polarization taken from the first
  std::vector<PolarizationResult>
      polarizations;  ///< Y first; X absent when symmetry_used, one of `average_label` for an average
  std::vector<ScatteringRow> plane;  ///< yz (or scattering) plane, theta from 0
  std::vector<ScatteringRow> grid;   ///< scat_grid rows, theta major as ADDA's
  std::vector<PhiIntegral> phi_integrals;
  std::vector<MemoryUse> memory;
  struct Timing {
    std::string name;
    double seconds;
  };
  std::vector<Timing> timings;
  std::string backend, device, version;
  std::string ranks;      ///< how many shared the particle, what passed between them; empty = one
  std::string fit;        ///< of a plan: whether it fits a device, how many ranks it takes; lines after "# "
  int planned_ranks = 1;  ///< of a plan, which memory is the fullest one's
  std::string preconditioner;  ///< which was chosen and why; empty = none was asked for
  std::string inner;           ///< precision of the iterations and why, of a run in double; empty = no choice
  std::string sectors;         ///< mirror planes that were used and why; empty = no choice was made
  std::string blocks;      ///< how many right-hand sides are solved for together and why; empty = no choice
  std::string transforms;  ///< whose Fourier transforms the products ran through
  /// Fields per dipole that ranks have written by themselves: the file of results, to be completed.
  std::shared_ptr<results::ImageFile> image;
  std::string settings;  ///< the case with every default filled in, as TOML; empty = not recorded
  bool converged = true;
  std::vector<std::string> warnings;           ///< what the user should know
  std::vector<std::string> angle_notes;        ///< paragraphs of ADDA's log about grids of angles
  std::string orientation_log;                 ///< text of log_orient_avg; empty = no averaging
  long orientations = 0;                       ///< solved for an average (alpha costs none); 0 = no averaging
  long alphas = 1;                             ///< angles alpha that each of them is seen at
  std::optional<Extrapolation> extrapolation;  ///< from several grids, of which this is the finest
  std::string log;                             ///< text of ADDA's log, filled by its writer
};

}  // namespace umov::dda
