// All files that a run leaves in its folder.
#pragma once

#include <string>

#include "dda/outcome.hpp"

namespace umov::dda {

/// All files of a run. TO ADD A WRITER: one call in write_results.cpp.
void write_results(const Outcome&, const std::string& folder);

}  // namespace umov::dda
