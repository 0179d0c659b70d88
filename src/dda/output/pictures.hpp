// The pictures of a dipole run.
#pragma once

#include <string>
#include <vector>

#include "dda/observables/mie_comparison.hpp"
#include "dda/outcome.hpp"

namespace umov::dda {

/// Writes shape, scattering, polar, internal_field, overview and convergence .png into `dir`, leaving out
/// those the outcome has no data for. Returns the paths written. Throws MachineFailure with the path.
std::vector<std::string> draw_pictures(const Outcome&, const std::string& dir,
                                       const MieComparison* = nullptr);

}  // namespace umov::dda
