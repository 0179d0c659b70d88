// Why a parameter has no effect: words that the families' tables of readers share.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/text.hpp"

namespace umov::cases {

/// "a box does not read it; sphere, ring do", "" for a kind among the readers.
inline std::string read_by(const std::string& kind, const std::vector<std::string>& readers) {
  if (std::count(readers.begin(), readers.end(), kind) > 0) return "";
  return fmt::format("a {} does not read it; {} {}", kind, join(readers, ", "),
                     readers.size() == 1 ? "does" : "do");
}

inline std::string unless(bool effect, const char* why) { return effect ? "" : why; }

}  // namespace umov::cases
