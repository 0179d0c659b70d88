// Findings about a case before a run: notes, warnings, stops, refusals.
#pragma once

#include <string>
#include <vector>

#include "fdtd/scene.hpp"

namespace umov::fdtd {

struct Finding {
  enum class Severity {
    note,     ///< good to know: how fine the grid is, what was chosen
    warning,  ///< the run goes on
    stop,     ///< nonsense: the run starts only with Simulation::force
    refusal   ///< what no run can be made of, forced or not
  } severity = Severity::warning;
  std::string message;
};

/// Looks at sources, monitors, bodies, materials, absorbing layers, resolution and pictures (call after
/// apply_picture). Throws only what reading the pictures again may throw.
std::vector<Finding> validate(const Simulation&, const Scene&, const Grid&);

/// Relative error of the wave number of a plane wave along an axis in a medium of index n, from the grid's
/// own dispersion relation sin(k dx / 2) = (n dx / dt) sin(w dt / 2) (Taflove and Hagness 2005, 4.5);
/// infinity where the grid carries no such wave.
double dispersion_error(const Grid&, double index, double frequency);

}  // namespace umov::fdtd
