// Files that a case reads, as what a saved state must agree with: by their names and contents.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/digest.hpp"
#include "core/given_arrays.hpp"

namespace umov {

/// The name without its folder: a resolved case has whole paths where its user's has relative ones.
inline std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// Takes the folder from a path of a case: the same text from whichever folder the case is run, as absolute
/// paths are written.
inline void forget_folder(std::string& path) {
  if (!path.empty()) path = "/" + file_name(path);
}

/// What is in a file that a case names; of arrays in memory their name, which is a digest of what is in them.
inline void add_contents(Digest& digest, const std::string& path) {
  if (given_arrays(path))
    digest.add(file_name(path));
  else
    digest.add_file(path);
}

/// A line per file with a digest of what is in it; empty names are passed over.
inline std::string contents_of(const std::vector<std::string>& paths) {
  std::string out;
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    Digest digest;
    add_contents(digest, path);
    out += fmt::format("contents of {}: {:016x}\n", file_name(path), digest.value());
  }
  return out;
}

}  // namespace umov
