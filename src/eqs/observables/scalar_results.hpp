// A run in single numbers: what a table of many runs has of each.
#pragma once

#include <string>
#include <vector>

#include "eqs/outcome.hpp"

namespace umov::eqs {

struct ScalarResult {
  std::string name, unit, text;
  double value = 0;
};

/// Largest values over the run, in this order: |E| per material, potential, charge and current per electrode,
/// energies and powers, |E| and potential at points, along lines, on surfaces, capacitances, then how the run
/// went. Cases that differ in numbers alone have the same names. Harmonic: peak values. NaN: not found.
std::vector<ScalarResult> scalar_results(const Outcome&);

/// Names of those that say how the run went.
const std::vector<std::string>& effort_names();

}  // namespace umov::eqs
