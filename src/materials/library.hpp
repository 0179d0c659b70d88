// The named materials: where their entries are, and how to find one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "materials/material.hpp"

namespace umov::materials {

/// A named material in physical units (poles in rad/fs; see scaled_to), with its citation and valid range.
struct Entry {
  Material material;
  std::vector<std::string> aliases;
  std::string note;  ///< what a user should know: temperature, and for a fit of our own its error
};

/// All entries, in the order they are listed to users. Every one is passive.
const std::vector<Entry>& library();

/// The entry of that name or alias; case is ignored. Throws BadInput with the name that was probably meant.
const Entry& find(std::string_view name);

/// The groups the library is made of. TO ADD A MATERIAL: an entry in one of them, and a row in
/// docs/guide/materials.md.
std::vector<Entry> ideal_materials();      ///< vacuum, air, perfect conductor
std::vector<Entry> rakic_metals();         ///< Lorentz-Drude models of eleven metals
std::vector<Entry> sellmeier_materials();  ///< glasses, crystals, liquids: lossless
std::vector<Entry> fitted_materials();     ///< poles fitted to published n and k with fit_poles

}  // namespace umov::materials
