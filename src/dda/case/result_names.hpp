// Names of the files that a dipole run leaves in its folder.
#pragma once

#include <string_view>

namespace umov::dda {

/// Whether a dipole run may write a file of this name in its folder (the saved shape apart). A new result
/// gets its name here: `tests/cli/dda_repairs_test.cpp` compares with what a run leaves.
bool is_dda_result(std::string_view name);

}  // namespace umov::dda
