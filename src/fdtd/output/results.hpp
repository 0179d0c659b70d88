// Everything a run in the time domain writes: HDF5, pictures, animation, series and spectra.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fdtd/outcome.hpp"
#include "results/entries.hpp"
#include "results/result.hpp"

namespace umov::fdtd {

/// Provenance of every file: program, version, device, command line, why the run ended, warnings, notes.
std::vector<std::pair<std::string, std::string>> run_attributes(const Outcome&);

/// Where guides leave the structure, with a table; nothing without ports.
void add_ports(results::Result&, const Simulation&);

/// Named arrays with units, their tables and the grid's data, for the writers of all formats. Refers to the
/// outcome.
results::Result to_result(const Outcome&);

/// All files of a run into `folder`, as far as Simulation::outputs asks for them: results.vtkhdf,
/// fourier-NAME.vtkhdf, plane-AXIS.vtkhdf, series-NAME.csv, flux-NAME.csv, far_field-NAME.csv,
/// cross_sections-NAME.csv, modes-NAME.csv, orders-NAME.csv, resonances.csv, *.png, animation.gif. Each is
/// complete or absent. `times` of its stages go with the arrays. Throws MachineFailure or BadInput naming the
/// file.
void write_results(const Outcome&, const std::string& folder, const std::vector<StageTime>& times = {});

}  // namespace umov::fdtd
