// All files that a run leaves in its folder.
#pragma once

#include <string>

#include "dda/outcome.hpp"

namespace umov::dda {

/// All files of a run; what they took joins the timings of the outcome. TO ADD A WRITER: one call in
/// write_results.cpp.
void write_results(Outcome&, const std::string& folder);

}  // namespace umov::dda
