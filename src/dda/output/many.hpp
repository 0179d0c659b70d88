// Results of many cases: one table, one HDF5 file, one picture.
#pragma once

#include <string>

#include "dda/many_outcome.hpp"
#include "results/result.hpp"

namespace umov::dda {

/// Arrays of one item per case: the parameters that may be lists, cross sections and efficiencies for
/// unpolarised light and for each polarization, and how the solves went.
results::Result to_result(const ManyOutcome&);

/// Cross sections over the parameter that has the most values, wavelengths first; with Mie theory where the
/// particle is a sphere. Draws nothing, and returns false, where no parameter has several values.
bool spectrum_picture(const ManyOutcome&, const std::string& path);

/// `cases.csv`, `results.h5` and `spectrum.png`, as far as they are wanted.
void write_results(const ManyOutcome&, const std::string& folder);

}  // namespace umov::dda
