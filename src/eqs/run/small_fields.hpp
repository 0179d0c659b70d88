// Fields too small for the tolerance of steps to hold, or of another size than their curves.
#pragma once

#include "eqs/run/prepare.hpp"

namespace umov::eqs {

/// Warns of materials whose largest |E| the errors of controlled steps leave less well known than
/// time.tolerance says: least_share measures them by the other materials' fields.
void warn_of_small_fields(const Prepared&, const Outcome&, run::Journal&);

/// Warns of microvaristor curves that switch at fields of another size than those of the run.
void warn_of_switching(const Prepared&, const Outcome&, run::Journal&);

}  // namespace umov::eqs
