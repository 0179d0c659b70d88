// Whether the run in a folder of results has ended.
#pragma once

#include <string>

namespace umov::run {

/// The file in a folder that says: a run here has begun, and neither ended nor been refused.
inline constexpr const char* unfinished_mark = "unfinished";

/// Whether a run in this folder has begun, and neither ended nor been refused.
bool is_unfinished(const std::string& folder);

/// A finished run has its log, but no checkpoint any more and no sign of another one that began.
bool has_finished(const std::string& folder, const std::string& checkpoint);

}  // namespace umov::run
