// Monitors that are divided by the flux of another one.
#pragma once

#include <string>

#include "fdtd/outcome.hpp"

namespace umov::fdtd {

/// What is wrong with the `reference` of a monitor, "PROBLEM (WHY); SUGGESTION" without its name: not a flux
/// or orders monitor, no flux monitor of that name, itself, or one of other frequencies; "" when nothing is.
std::string reference_problem(const Simulation&, const MonitorSpec&);

/// Fills `incident` of the fluxes that name another monitor: its flux in the reference run, or without one in
/// this run. Finds those without a name whose own place the reference run does not light: what comes there by
/// the bodies only has no transmission by that flux; they are marked, with a warning.
void apply_references(Outcome&);

}  // namespace umov::fdtd
