// Incident fields at the dipoles: plane wave, Gaussian beams, point dipole, fields read from files.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dda/scheme/frames.hpp"
#include "dda/simulation.hpp"
#include "shapes/particle.hpp"

namespace umov::dda::sources {

/// Incident electric field, one vector per dipole (x fastest, then y, then z over occupied sites), in the
/// particle frame, for polarization `pol` ('Y' or 'X'). Amplitudes are relative to the field of a plane wave,
/// or of a Gaussian beam at its focus, which is 1; the point dipole has moment p0 = 1/k^3 along the
/// propagation vector (both "polarizations" are the same field).
///   lminus   G. Gouesbet, B. Maheu, G. Grehan 1988, J. Opt. Soc. Am. A 5, 1427, eq. 22
///   davis3   L. W. Davis 1979, Phys. Rev. A 19, 1177, eqs. 15
///   barton5  J. P. Barton, D. R. Alexander 1989, J. Appl. Phys. 66, 2800, eqs. 25 to 28
/// all complex conjugated for time dependence exp(-i omega t).
/// @param frame the incident wave in the particle frame
/// Throws BadInput for a beam width that is not positive, and for a broken field file (naming file:line).
std::vector<CVec3> incident_field(const Simulation&, const shapes::Particle&, const IncidentFrame& frame,
                                  char pol);

/// Internal field estimated by the Wentzel-Kramers-Brillouin approximation: the incident plane wave along +z
/// with the phase of the material it has passed. Throws BadInput when the wave does not travel along +z of
/// the particle.
std::vector<CVec3> wkb_field(const Simulation&, const shapes::Particle&, const IncidentFrame& frame,
                             char pol);

/// Field per dipole from a text file with one header line and rows `x y z |E|^2 Ex.r Ex.i Ey.r Ey.i Ez.r
/// Ez.i`, as ADDA stores beams and internal fields. With `positions` (um) each row must lie at its dipole, to
/// the digits that the file has. A header that names another field than `symbol`, "Einc" or "E", is refused;
/// one that names none is not. Throws BadInput naming file:line.
std::vector<CVec3> read_field(const std::string& file, std::size_t dipoles,
                              std::span<const Vec3> positions = {}, std::string_view symbol = {});
std::vector<CVec3> read_field(const std::string& file, const shapes::Particle&, std::string_view symbol);

}  // namespace umov::dda::sources
