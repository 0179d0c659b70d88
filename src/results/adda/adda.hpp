// Results in ADDA's file formats, and the folders they go to.
#pragma once

#include <string>

#include "dda/outcome.hpp"

namespace umov::results {

/// Writes into `dir`, which exists, all files that ADDA 1.5 would: CrossSec, mueller, ampl, their grids and
/// integrals, fields per dipole, log files; and meminfo, prof, efield. Each file is complete or absent.
/// Throws MachineFailure or BadInput naming the path.
void write_adda_results(const dda::Outcome&, const std::string& dir);

/// The text of ADDA's `log`.
std::string adda_log(const dda::Outcome&);

/// Makes the folder of this run and returns its name: -dir, else run000_sphere_g16_m1.5 with the number
/// counted in the file ExpCount of the working directory ("test..." when asked for). The folder belongs to
/// this run alone: BadInput when -dir is not empty, unless the run continues from a checkpoint.
std::string adda_output_folder(const dda::Simulation&, const shapes::Particle&, bool test);

/// Makes the next free of base/run000, base/run001, ... (base empty: the working directory), points the link
/// base/latest at it and returns its path. Runs that start together get different folders.
std::string numbered_folder(const std::string& base);

/// Paragraphs of the log for Outcome::angle_notes. Angles in degrees, n = number of angles.
struct AngleRange {
  double first, last;
  std::size_t n;
  bool listed = false;  ///< given one by one
};
std::string adda_alldir_note(const AngleRange& theta, const AngleRange& phi);
std::string adda_scat_grid_note(const AngleRange& theta, const AngleRange& phi, bool phi_integrated);

}  // namespace umov::results
