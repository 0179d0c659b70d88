// What a user gets of S-parameters: arrays and tables, text, pictures.
#pragma once

#include <string>

#include "results/result.hpp"
#include "s_parameters/matrix.hpp"

namespace umov::s_parameters {

/// The arrays s, out and in [frequency][row][column], frequency, wavelength, effective_index
/// [row][frequency]; the names as attributes; the table s_parameters, and that of the ports.
results::Result to_result(const Matrix&, const Setup&);

/// |S|^2 as a table at the middle frequency, reciprocity, power of columns, what the files lack.
std::string summary(const Matrix&);

/// The model with its ports, and a picture per column, |S|^2 in dB over wavelength, into a folder; no such
/// ones for one frequency. Throws MachineFailure.
void draw_pictures(const Matrix&, const Setup&, const std::string& folder);

}  // namespace umov::s_parameters
