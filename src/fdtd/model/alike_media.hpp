// Media between which fields hardly bend.
#pragma once

#include <vector>

#include "fdtd/simulation.hpp"

namespace umov::fdtd {

/// For every pair of media, row by row, whether their permittivities differ by less than a tenth in the band
/// of the sources (without one by their instantaneous parts and conductivities), permeabilities too. The
/// field's jump between them is so small that it does not matter which way their interface faces: with
/// contrast c = |a - b| / (a + b) series and parallel means differ by c^2, 0.25 %.
std::vector<bool> alike_media(const Simulation&, const std::vector<materials::Material>&);

/// Whether a material says the same of the field as another, whatever its name.
bool equal_media(const materials::Material&, const materials::Material&);

}  // namespace umov::fdtd
