// The version of this program.
#pragma once

namespace umov::run {

/// "0.1.0" and the like.
const char* version();

}  // namespace umov::run
