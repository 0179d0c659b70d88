// What a periodic steady state asks of the voltages.
#pragma once

#include "eqs/problem.hpp"

namespace umov::eqs {

/// Takes the ramps away and throws BadInput where a voltage is not after the period (s) what it was before.
void take_steady_drive(double period, Problem&);

/// Whether all voltages are after half a period what they were, with the other sign. So is the whole steady
/// state then, as permittivities and conductivities depend on the size of the field only, if no floating
/// electrode has a charge of its own.
bool changes_sign_after_half(const Problem&, double period);

}  // namespace umov::eqs
