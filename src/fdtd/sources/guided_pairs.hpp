// What the mode solver finds, as it comes from the matrices of a cross-section.
#pragma once

#include <optional>
#include <vector>

#include "fdtd/sources/cross_section.hpp"
#include "fdtd/sources/eigenpairs.hpp"

namespace umov::fdtd {

/// The modes of guided_modes as pairs (kappa^2, d).
std::vector<Eigenpair> guided_pairs(const Problem&, const ModePlane&, const CrossSection&, double frequency,
                                    int count, std::optional<double> index_guess);

/// Whether no permittivity of the cross-section has an imaginary part at angular frequency w.
bool lossless(const Problem&, const CrossSection&, double w);

/// index^2 of the slowest wave that a plane's surroundings carry away; 0 between walls.
double slowest_leaving(const Problem&, const ModePlane&, const CrossSection&, double frequency);

}  // namespace umov::fdtd
