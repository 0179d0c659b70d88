// How many elements a described geometry would take, before it is meshed.
#pragma once

#include <string>
#include <vector>

#include "mesh/geometry.hpp"

namespace umov::mesh {

/// Tetrahedra that Gmsh makes of parts with the edge lengths of SizeField: the integral of 1 / size^3 over
/// the domain, times what a mesh of it has (measured, within a factor of two). Stops where the number is
/// beyond `enough`.
double estimate_elements(const Geometry&, double enough = 1e12);

/// Throws BadInput when they are more than 1e9 or need a multiple of this machine's memory; adds a warning
/// where they need all of it, or meshing will take minutes, and where they are too few for a field.
void check_element_count(const Geometry&, std::vector<std::string>& warnings);

/// What is about to be meshed, in words: how many elements, if they take more than seconds, and whose edges
/// are the shortest. Throws as check_parts does.
std::string announce_elements(const Geometry&);

}  // namespace umov::mesh
