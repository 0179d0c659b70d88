// Results in ADDA's file formats, and the folders they go to.
#pragma once

#include <string>

#include "dda/outcome.hpp"

namespace umov::dda::adda {

/// Writes into `dir`, which exists, all files that ADDA 1.5 would: CrossSec, mueller, ampl, their grids and
/// integrals, fields per dipole, logs of integrals; and meminfo, prof, efield. Each file is complete or
/// absent. Throws MachineFailure or BadInput naming the path.
void write_adda_files(const Outcome&, const std::string& dir);
/// ADDA's `log`, which they come before: a run that has its log is finished.
void write_adda_log(const Outcome&, const std::string& dir);

/// The text of ADDA's `log`.
std::string adda_log(const Outcome&);

}  // namespace umov::dda::adda
