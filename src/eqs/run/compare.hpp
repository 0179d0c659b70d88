// Runs one model by several methods.
#pragma once

#include <functional>

#include "eqs/comparison.hpp"
#include "eqs/run/observer.hpp"

namespace umov::eqs {

/// Every method with the steps that the case's tolerance gives, then fixed steps of the lengths asked for, by
/// the methods C (sdirk3) and D (rkc) or those of them that are asked for: start vectors change no result
/// beyond the tolerance of the solves. The reference are fixed steps of sdirk3, a quarter of the smallest
/// length. A method that fails has a row that says why. Throws as `run`; BadInput for an analysis without
/// steps, or lengths of which the end is no multiple.
Comparison compare(const Simulation&, const run::Machine&, const ComparisonSpec&, const RunObserver& = {});

/// Keys of the case that say something else than their default and have no part in its comparison, each with
/// the reason: one line per reason.
std::vector<std::string> comparison_notes(const Simulation&, const run::Machine&, std::span<const Method>);

}  // namespace umov::eqs
