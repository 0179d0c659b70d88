// The traces that a run leaves in its folder when it begins and ends.
#include "run/finished.hpp"

#include <filesystem>

namespace umov::run {

bool is_unfinished(const std::string& folder) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::path(folder) / unfinished_mark, ignored);
}

bool has_finished(const std::string& folder, const std::string& checkpoint) {
  std::error_code ignored;
  return !is_unfinished(folder) && std::filesystem::exists(folder + "/log", ignored) &&
         !std::filesystem::exists(checkpoint, ignored);
}

}  // namespace umov::run
