// OpenDDA's control file as a case of `umov dda`.
#pragma once

#include "dda/case/sites.hpp"
#include "dda/opendda/control.hpp"

namespace umov::dda::opendda {

/// The particle keeps its axes; the wave goes along z and X is OpenDDA's e0. Throws BadInput with the line of
/// what cannot be meant.
Translation translate(const Control&);

/// Sites of the target, in OpenDDA's order (x fastest). Throws BadInput with file:line.
Sites target_sites(const Control&);

/// The index of material i at a wavelength.
cplx material_index(const Control&, std::size_t i, double wavelength);

/// e0 as seen from the axes of its ellipse, the frame in which the case is computed.
PrincipalJones frame_of(const Control&);

}  // namespace umov::dda::opendda
