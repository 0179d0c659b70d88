// Series and spectra of a time-domain run as comma-separated values.
#pragma once

#include <string>

#include "fdtd/outcome.hpp"

namespace umov::fdtd {

/// series-NAME.csv, flux-NAME.csv, far_field-NAME.csv, cross_sections-NAME.csv, modes-NAME.csv,
/// orders-NAME.csv and resonances.csv, as far as there is something in them. Throws MachineFailure or
/// BadInput naming the file.
void write_tables(const Outcome&, const std::string& folder);

}  // namespace umov::fdtd
