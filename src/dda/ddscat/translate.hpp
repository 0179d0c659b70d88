// ddscat.par as a case of `umov dda`.
#pragma once

#include "dda/ddscat/parameters.hpp"
#include "dda/ddscat/target.hpp"

namespace umov::dda::ddscat {

/// A ddscat.par ready to be run: umov's particle has z along the target's axis a1 and x along a2, so that
/// alpha, beta, gamma are DDSCAT's Phi, Theta, Beta; umov's laboratory has z along the wave (DDSCAT's x) and,
/// up to a turn onto the polarization, x and y along DDSCAT's y and z.
struct Job {
  Parameters parameters;
  Target target;
  Orientations orientations;
  PrincipalJones light;                  ///< e01 from the axes of its ellipse
  std::vector<std::vector<cplx>> index;  ///< [material][wavelength], not over the medium
  Translation translation;
};

/// Throws BadInput with the line of what cannot be meant.
Job make_job(const std::string& path);

/// Place of a case in DDSCAT's loops.
struct Place {
  std::size_t wavelength, radius, theta, beta, phi;
  std::size_t orientation;  ///< from 0, as numbered in file names
};
Place place_of(const Job&, std::size_t i);

}  // namespace umov::dda::ddscat
