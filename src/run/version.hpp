// The version of this program, and what it was built for.
#pragma once

#include <string>

namespace umov::run {

/// "0.1.0" and the like.
const char* version();

/// Lines: processors, compiler, what of the optional parts was built.
std::string built_for();

}  // namespace umov::run
