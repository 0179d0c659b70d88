// Materials of a shape that no dipole of the grid is of.
#pragma once

#include <string>
#include <vector>

#include "shapes/particle.hpp"

namespace umov::shapes {

/// Their numbers, from 1.
std::vector<int> absent_materials(const Particle&);

/// "material 2 has no dipole", "materials 2, 3 have no dipole".
std::string without_dipole(const std::vector<int>& materials);

/// What the user is to know of them; empty where there are none. `from_file`: no other grid has them.
std::string absence_warning(const Particle&, bool from_file);

}  // namespace umov::shapes
