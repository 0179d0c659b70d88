// Combinations of settings that a dipole simulation refuses.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dda/simulation.hpp"

namespace umov::dda {

/// True when the dipoles are rectangular cuboids rather than cubes.
bool has_rectangular_dipoles(const Simulation&);

/// A setting that does not go with the others: its key as in a case ("method.interaction"), and the problem.
struct Contradiction {
  std::string parameter, problem;
};

/// The first setting that contradicts another: formulations, materials, beams, results of an average.
std::optional<Contradiction> find_contradiction(const Simulation&);

/// Throws BadInput for a contradiction. Returns warnings for combinations that are allowed but known to give
/// poor results.
std::vector<std::string> check_formulation(const Simulation&);

}  // namespace umov::dda
