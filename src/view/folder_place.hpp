// Where what a file of a case holds goes: for readers of the kinds of files.
#pragma once

#include <string>

#include "view/batch_table.hpp"
#include "view/folder.hpp"

namespace umov::view {

/// Where an array of a case stands in the catalogue.
struct Place {
  Shelf& shelf;
  int case_id;
  std::string file;       ///< name of the file, without its ending
  BatchRoles roles = {};  ///< of the columns of a table of many cases
};

/// A number of its own.
void add_number(const Place&, const std::string& name, const std::string& unit, const std::string& text,
                double value);
/// What results.h5 of a folder says of its table of many cases; nothing where there is none.
BatchRoles roles_in(const std::string& folder);
/// Images, meshes, particles, numbers, lists and marks of a file of HDF5. Throws BadInput naming it.
void add_hdf5(const Place&, const std::string& path);

}  // namespace umov::view
