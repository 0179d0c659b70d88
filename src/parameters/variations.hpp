// Numbers of a case that stand for several: lists where one number is wanted, and numbers set by their path.
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
/// The same from a file, as ParameterList::read_toml.
void read_varied_toml(const ParameterList&, const std::string& path, void* target, Origins&,
                      std::vector<Variation>& found);

/// A number among the parameters, as a user names it: "time.tolerance", "layer.varistor.thickness" (an item
/// of a list by its name or region), "layer.2.thickness" (by its number, from 1), "point.tip.at[3]" (an
/// element of a list of numbers, from 1).
struct NumberPlace {
  std::string path;   ///< as in Origins, with the element (from 1) in brackets behind it: "point[0].at[3]"
  std::string label;  ///< short, for headings: "varistor.thickness", "tip.at[3]"
  std::string unit;
};
/// Throws ValueError where `target` has no such number, or two.
NumberPlace find_number(const ParameterList&, const void* target, const std::string& name);
/// The same for a path as in Origins.
NumberPlace place_of(const ParameterList&, const void* target, const std::string& path);

/// The name that find_number takes for a path: "layer.1.thickness" for "layer[0].thickness".
std::string numbered_name(const std::string& path);

/// Sets the number at a path. Throws ValueError for what the parameter does not take.
void set_number(const ParameterList&, void* target, const std::string& path, double value);

}  // namespace umov
