// DDSCAT's targets on its lattice.
#pragma once

#include <string>

#include "dda/case/sites.hpp"
#include "dda/ddscat/parameters.hpp"

namespace umov::dda::ddscat {

/// Sites in the target frame, with the axes that the target's rotations are about.
struct Target {
  Sites sites;
  Vec3 a1{1, 0, 0}, a2{0, 1, 0};
  Vec3 origin{0, 0, 0};     ///< x0: of dipole (0,0,0) in the target frame, in spacings
  std::string description;  ///< as in DDSCAT's files after TARGET ---

  Vec3 a3() const {
    return {a1[1] * a2[2] - a1[2] * a2[1], a1[2] * a2[0] - a1[0] * a2[2], a1[0] * a2[1] - a1[1] * a2[0]};
  }
};

/// Throws BadInput naming the line of ddscat.par, or the file of sites.
Target make_target(const Parameters&);

/// One of its readers: shape.dat of FROM_FILE and ANIFRMFIL. Throws BadInput with file:line.
Target target_from_file(const std::string& path, bool anisotropic, std::size_t materials);

/// SPHERES_N. Throws BadInput naming the line of ddscat.par, or the file of spheres.
Target target_of_spheres(const Parameters&);

/// Principal axes of the target's moment of inertia: a1 that of the largest, a2 of the second; a1 with
/// positive x, a2 with positive y.
void set_principal_axes(Target&);

}  // namespace umov::dda::ddscat
