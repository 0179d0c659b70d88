// What stands around a particle: the beam, its polarizations, the laboratory's axes, for drawings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dda/observables/frame.hpp"
#include "dda/outcome.hpp"
#include "results/result.hpp"

namespace umov::dda {

/// A direction to draw, in the particle's frame (um).
struct DrawnArrow {
  std::string role, name, text;  ///< role "source", "polarization" or "axis", as docs/view_protocol.md has it
  Vec3 center{0, 0, 0}, arrow{0, 0, 1};
};

/// The beam, the polarizations that are solved for ("Y", "YX") and, where the particle is turned, the axes of
/// the laboratory.
std::vector<DrawnArrow> arrows_of(const Simulation&, const shapes::Particle&, const BeamFrame&,
                                  std::string_view labels);

/// The same of a finished run, as arrays marks/ROLE/NAME of three rows: center, size (0) and arrow. An
/// average over orientations has none.
void add_marks(results::Result&, const Outcome&);

}  // namespace umov::dda
