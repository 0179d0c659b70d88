// DDSCAT's names of shapes: those that are there, and why the others are not.
#pragma once

#include <string>

namespace umov::dda::ddscat {

/// A shape with the number of its parameters, whether a file follows them, and materials (0: any).
struct Shape {
  const char* name;
  int parameters;
  bool file;
  int materials;
};

/// nullptr for a name that is not there.
const Shape* find_shape(const std::string& name);
/// What to tell of a name that is not there.
std::string why_no_shape(const std::string& name);

}  // namespace umov::dda::ddscat
