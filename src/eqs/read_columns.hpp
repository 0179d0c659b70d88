// Columns of numbers in a text file: curves and waveforms.
#pragma once

#include <string>
#include <vector>

namespace umov::eqs {

/// The first `count` columns, separated by commas, semicolons or blanks; lines that begin with # and one
/// heading line are skipped. Throws BadInput with `what`, file and line.
std::vector<std::vector<double>> read_columns(const std::string& file, int count, const std::string& what);

}  // namespace umov::eqs
