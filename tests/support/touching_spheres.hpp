// Cross sections of two touching equal spheres, known without dipoles.
#pragma once

#include <fmt/format.h>

#include <string>

#include "core/types.hpp"

namespace umov::test {

/// Two spheres that touch on the z axis, wavelength 1 um. Computed for this table by an expansion in vector
/// spherical harmonics about each centre, joined by Mie coefficients; a wave that leaves one sphere is
/// projected onto regular waves about the other by quadrature over a sphere (no addition theorem). 16 orders;
/// the change from 12 to 16 is below 1.4e-3 of Cext for m = 2.5 + 0.5i along the contact, below 3e-4 for all
/// others; Cext is Cabs + Csca to 4e-9 with both integrated.
struct TouchingSpheres {
  double x;  ///< size parameter of each
  cplx m;
  const char* light;      ///< propagation, laboratory frame
  const char* incidence;  ///< 'X' across z: the field along the axis through both
  double cext, cabs, g;   ///< um^2, um^2, 1

  std::string flags() const {
    const double radius = x / (2 * pi);
    return fmt::format(
        "--shape bisphere --shape-arguments 1 --eq-radius {:.10g} --lambda 1 --m {},{} "
        "--propagation {}",
        radius * std::cbrt(2.0), m.real(), m.imag(), light);
  }
};

inline const TouchingSpheres touching_spheres[] = {
    {0.8, cplx(2, 0.1), "1,0,0", "X", 0.117122836, 0.028134074, 0.139818106},
    {0.8, cplx(2, 0.1), "1,0,0", "Y", 0.056989323, 0.016370445, 0.211871524},
    {0.8, cplx(2, 0.1), "0,0,1", "Y", 0.058675327, 0.021341830, 0.591435502},
    {0.5, cplx(2.5, 0.5), "1,0,0", "X", 0.035990257, 0.023728338, 0.064135483},
    {0.5, cplx(2.5, 0.5), "1,0,0", "Y", 0.016557514, 0.011263448, 0.092240883},
    {0.4, 1.5, "1,0,0", "X", 0.000365772, 0, 0.029191394},
    {0.4, 1.5, "1,0,0", "Y", 0.000268731, 0, 0.033260738},
    {1.0, cplx(1.5, 0.05), "1,0,0", "X", 0.090167207, 0.025667242, 0.198544154},
    {1.0, cplx(1.5, 0.05), "0,0,1", "Y", 0.063963842, 0.025284453, 0.599117480},
    {0.4, cplx(0.8, 1.5), "1,0,0", "X", 0.051948740, 0.046691412, 0.019048808},
    {0.4, cplx(0.8, 1.5), "1,0,0", "Y", 0.048206990, 0.042691527, 0.011791404},
};

}  // namespace umov::test
