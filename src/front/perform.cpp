// Warnings of a command, finished runs, used folders.
#include "front/perform.hpp"

#include <filesystem>

#include "core/console.hpp"

namespace umov::front {

void warn(const std::string& text) { complain("umov: warning: " + text); }

bool has_finished(const std::string& folder, const std::string& checkpoint) {
  std::error_code ignored;
  return !OutputFolder::unfinished(folder) && std::filesystem::exists(folder + "/log", ignored) &&
         !std::filesystem::exists(checkpoint, ignored);
}

void remove_quietly(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

void warn_if_used(const OutputFolder& folder, bool resume) {
  if (folder.used_before() && !resume)
    warn(fmt::format("folder {} is not empty; the files of its last run are replaced or removed, others stay",
                     folder.path()));
}

}  // namespace umov::front
