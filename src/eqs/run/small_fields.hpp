// Fields too small for the tolerance of steps to hold.
#pragma once

#include "eqs/run/prepare.hpp"

namespace umov::eqs {

/// Warns of materials whose largest |E| the errors of controlled steps leave less well known than
/// time.tolerance says: least_share measures them by the other materials' fields.
void warn_of_small_fields(const Prepared&, const Outcome&, run::Journal&);

}  // namespace umov::eqs
