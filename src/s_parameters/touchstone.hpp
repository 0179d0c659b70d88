// S-parameters as a Touchstone file.
#pragma once

#include <string>

#include "s_parameters/matrix.hpp"

namespace umov::s_parameters {

/// "s_parameters.s4p" for four channels.
std::string touchstone_name(const Matrix&);

/// The text of a file of version 1.1 (EIA/IBIS Open Forum 2003, Touchstone File Format Specification Rev 1.1)
/// of a complete matrix: GHz, real and imaginary parts, frequencies ascending; of two ports S11 S21 S12 S22
/// in a line, of three and more a line for each row, at most four entries to a line. Conjugated: its phasors
/// are of exp(+i w t).
std::string touchstone(const Matrix&, const std::string& version);

}  // namespace umov::s_parameters
