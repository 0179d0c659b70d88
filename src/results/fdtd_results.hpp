// Everything a run in the time domain writes: HDF5, pictures, animation, series and spectra.
#pragma once

#include <string>

#include "fdtd/outcome.hpp"
#include "results/result.hpp"

namespace umov::results {

/// Named arrays with units and the grid's data, for the HDF5 writer.
Result to_result(const fdtd::Outcome&);

/// All files of a run into `folder`: results.vtkhdf, *.csv, *.png, animation. Each is complete or absent.
void write_fdtd_results(const fdtd::Outcome&, const std::string& folder);

}  // namespace umov::results
