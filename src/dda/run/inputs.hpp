// Files that a dipole run reads besides its particle.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dda/run/prepare.hpp"

namespace umov::dda {

/// Angles from files or built in, as far as the case wants them.
struct Angles {
  /// Of the integrals over all directions: a file's, or ADDA's; none where the particle's size chooses them.
  std::optional<AllDirections> all;
  std::optional<ScatteringGrid> grid;             ///< of the scattering matrices
  std::optional<OrientationAngles> orientations;  ///< of the average over orientations
  std::vector<std::string> notes;                 ///< paragraphs of ADDA's log on the first two
};

/// Reads and checks what a run reads later, too: whatever refuses must do so before the run takes the place
/// of the results there, and in a dry run. Reads nothing for a prognosis without all refractive indices.
Angles read_inputs(const Prepared&, run::Journal&);

}  // namespace umov::dda
