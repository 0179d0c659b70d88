// Results as files, where a program wants them.
#pragma once

#include <string>

#include "results/result.hpp"

namespace umov {

/// Writes the file that the family's command writes, results.vtkhdf or results.h5, into a folder that is
/// there. What the library alone returns, or the command writes into files of its own (fields over time,
/// volumes, planes, fields per dipole), stands beside it in fields.h5. Throws MachineFailure.
void save(const results::Result&, const std::string& folder);

/// The results in the folder of a finished run, of a command or of `save`: arrays and attributes; tables are
/// not in it. Throws BadInput: no results there, the run has not ended, a damaged file.
results::Result open_results(const std::string& folder);

}  // namespace umov
