// Lists where one number is wanted, and the names of what varies from case to case.
#pragma once

#include <string>
#include <vector>

#include "parameters/parameters.hpp"
#include "parameters/value_list.hpp"

namespace umov {

/// A list or a range ("from:to:count") that stands where its parameter wants one number.
struct Variation {
  std::string path;   ///< as in Origins: "time.tolerance", "layer[0].thickness"
  std::string place;  ///< "case.toml:14"
  NumberList values;
};

/// As ParameterList::read, but a list or range of numbers is taken where one number is wanted: its first
/// value goes into `target`, all of it into `found`.
void read_varied(const ParameterList&, const Tree&, void* target, Origins&, const std::string& folder,
                 std::vector<Variation>& found);

/// A path as in Origins, whatever it calls an item of a list: "layer[0].thickness" for
/// "layer.varistor.thickness". Throws ValueError as Tree::find.
std::string counted_path(const Tree&, const std::string& path);

/// The same with the number of the item, from 1: "layer.1.thickness" for "layer[0].thickness".
std::string numbered_path(const std::string& path);

/// Short, for headings: "varistor.thickness", of an item without a name of its own, or one that the path
/// counts, "layer1.thickness".
std::string short_name(const Tree&, const std::string& path);

}  // namespace umov
