// Finished and running cases in folders, as named arrays: whatever family left them.
#pragma once

#include <string>
#include <vector>

#include "view/hub.hpp"
#include "view/stored.hpp"

namespace umov::view {

/// A folder with results of a run.
struct CaseFolder {
  std::string path, name;
  long long changed = 0;  ///< seconds since 1970, of its newest file
  bool unfinished = false;
  bool operator==(const CaseFolder&) const = default;
};

inline constexpr std::size_t most_cases = 64;

/// The case in `folder`, then those in the folders inside it, newest first; at most `most_cases`: variants of
/// it, or else cases, four levels down, named by their way from `folder`. A case has a resolved.toml. Throws
/// BadInput when there is no such folder.
std::vector<CaseFolder> find_cases(const std::string& folder);

/// Everything in these cases: columns of CSV files as curves, images and numbers of HDF5 files, meshes as
/// triangles, logs as text. A file that cannot be read is left out; why is said in `complaints`.
Shelf shelf_of(const std::vector<CaseFolder>&, std::vector<std::string>& complaints);

/// Publishes the cases of a folder and follows it until `stopped`.
void follow(const std::string& folder, Hub&, const std::function<bool()>& stopped);

/// A table of numbers: the first row names columns, "name [unit]", lines with # are comments. A column with
/// anything but numbers is left out. Throws BadInput for a file that cannot be read.
struct ReadTable {
  std::vector<Column> columns;
  std::vector<std::vector<double>> values;
  bool labelled = false;  ///< the first column was not of numbers
};
ReadTable read_table(const std::string& path);

}  // namespace umov::view
