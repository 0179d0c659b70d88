// Kinds of files that users give in each other's place, told by their content.
#pragma once

#include <string>
#include <string_view>

#include "core/error.hpp"

namespace umov {

enum class FileFormat {
  none,
  stl,
  obj,
  ply,
  off,
  gmsh,
  vtk,
  hdf5,
  toml,
  ddscat,
  ddscat_index,
  opendda,
  sites,
  picture
};

struct FileKind {
  FileFormat format;
  const char* name;  ///< "a mesh of triangles (STL)"
  const char* use;   ///< what to do with it: "give it to umov ddscat"
};

/// A mesh of triangles in binary STL, whole: it says how many there are.
bool is_binary_stl(std::string_view bytes);

/// Of a file with this content (its first lines will do, but for binary STL); nullptr: none of those known
/// here. `path` tells TOML, STL and OBJ by their endings, in capitals or not.
const FileKind* kind_of_file(const std::string& path, std::string_view content);

/// Throws BadInput "PATH is NAME (WHY); USE" where the kind is a known one and not `wanted`; `why`: "a list
/// of dipoles is read here".
void refuse_other_kind(const std::string& path, std::string_view content, const std::string& why,
                       FileFormat wanted = FileFormat::none);

/// The same of a file whose content was not looked at yet; what cannot be read is not refused.
void refuse_other_kind(const std::string& path, const std::string& why, FileFormat wanted = FileFormat::none);

/// What `read` makes of a file. Where it throws BadInput and the file is of another kind, that is said: a
/// right file may have the words of others in its title and remarks.
template <class Read>
auto read_as(FileFormat wanted, const std::string& path, const std::string& why, const Read& read) {
  try {
    return read();
  } catch (const BadInput&) {
    refuse_other_kind(path, why, wanted);
    throw;
  }
}

}  // namespace umov
