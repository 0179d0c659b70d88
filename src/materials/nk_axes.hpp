// Tables of n and k of a material with another index along each axis.
#pragma once

#include <array>
#include <string>

#include "materials/nk_table.hpp"

namespace umov::materials {

/// A table for each of the axes x, y, z.
using NkAxes = std::array<NkTable, 3>;

/// Reads text of seven columns, wavelength, n and k along x, along y and along z (units as in read_nk); any
/// other file is what read_nk takes, the same along all axes. Throws BadInput with file:line for anything
/// else.
NkAxes read_nk_axes(const std::string& path);

}  // namespace umov::materials
