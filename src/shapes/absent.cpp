// Which materials the grid missed, by their counts, and the words for it.
#include "shapes/absent.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace umov::shapes {

std::vector<int> absent_materials(const Particle& p) {
  std::vector<int> out;
  for (std::size_t i = 0; i < p.dipoles_per_material.size(); ++i)
    if (p.dipoles_per_material[i] == 0) out.push_back(int(i) + 1);
  return out;
}

std::string without_dipole(const std::vector<int>& materials) {
  const bool several = materials.size() > 1;
  return fmt::format("material{} {} {} no dipole", several ? "s" : "", fmt::join(materials, ", "),
                     several ? "have" : "has");
}

std::string absence_warning(const Particle& p, bool from_file) {
  const std::vector<int> absent = absent_materials(p);
  if (absent.empty()) return {};
  if (from_file)
    return fmt::format(
        "{} in the file of the shape (its material numbers go up to {}); its refractive index "
        "is without effect; number the materials without gaps if that is not meant",
        without_dipole(absent), p.materials);
  return without_dipole(absent) +
         " on this grid (it is thinner than a dipole and falls between them, or other materials fill it), "
         "and "
         "the results have nothing of it; use a finer grid";
}

}  // namespace umov::shapes
