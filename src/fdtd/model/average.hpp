// Effective constants of a cell that holds several materials.
#pragma once

#include <optional>

#include "fdtd/scene.hpp"

namespace umov::fdtd {

/// One component's effective constants: 1/eps (1/mu) and conductivity.
struct Effective {
  double inverse = 1, loss = 0;
};

/// Whether the shares may be averaged: none is perfectly conducting.
bool averageable(const Mixture&, const std::vector<materials::Material>&);
/// Takes the shares of perfect conductors away and scales the others to a sum of 1; leaves a mixture of
/// conductors alone as it is. Whether it took any.
bool drop_conductors(Mixture&, const std::vector<materials::Material>&);
/// Whether D follows from more than the E of the moment: poles or conductivity.
bool has_memory(const materials::Material&);
bool has_memory(const Mixture&, const std::vector<materials::Material>&);
/// The material that fills the box but for rounding, or -1.
int single_material(const Mixture&);
/// Material of the largest share.
int largest_share(const Mixture&);

/// The component's diagonal entry of eps^-1 = P <1/eps> + (1 - P) / <eps>, P the projection onto the normal
/// (Farjadpour et al. 2006, Opt. Lett. 31, 2972; Kottke, Farjadpour and Johnson 2008, Phys. Rev. E 77,
/// 036611); with E along z in two dimensions, where no interface is normal to E, the mean permittivity.
/// Without a normal (zero) P is isotropic over the grid's axes. The conductivity is the arithmetic mean. For
/// H the same with mu. Of anisotropic materials the entries of this axis are averaged alone.
Effective effective(const Mixture&, const std::vector<materials::Material>&, int component,
                    const Vec3& normal, const Grid&);

/// Off-diagonal entries (eps^-1)_yz, zx, xy of the same tensor; zero without a normal or with anisotropic
/// materials.
Vec3 off_diagonal(const Mixture&, const std::vector<materials::Material>&, const Vec3& normal);

}  // namespace umov::fdtd
