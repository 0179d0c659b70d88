// A fraction as a parameter may take it: a number, or per cent.
#pragma once

#include "parameters/value.hpp"

namespace umov {

/// 0.01, or the text "1%". Zero is not set, and not written.
Codec<double> fraction(Range range);

}  // namespace umov
