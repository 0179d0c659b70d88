// What passes at the start of a run, long before its first step ends.
#pragma once

#include "eqs/run/observer.hpp"
#include "eqs/run/prepare.hpp"

namespace umov::eqs {

/// Fills Outcome::passing of a run in time, and warns of what largest values leave out: where a voltage jumps
/// at t = 0, a material conducts in the field without free charge, kappa E, for its eps / kappa. Where that
/// is below a tenth of the step after it, nothing of the decay is in the run: e^-10 is left after the step.
void note_passing(const Prepared&, Outcome&, Journal&);

/// Warns where a material's charges relax in so many periods that a periodic steady state with a direct
/// voltage may leave them where they began.
void warn_of_slow_charges(const Prepared&, const Outcome&, Journal&);

}  // namespace umov::eqs
