// ADDA's options in place of the parameters that texts name.
#pragma once

#include "core/wording.hpp"

namespace umov::dda::adda {

/// "-eps" for `solver.epsilon`, "--block" for `solver.block`; "" where `umov adda` has no option.
Spelling spelling();

}  // namespace umov::dda::adda
