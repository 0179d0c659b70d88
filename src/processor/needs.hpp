// What of a processor the program was compiled to use beyond the first of its kind.
#pragma once

namespace umov::processor {

/// Bits of `needs`.
enum Need : unsigned { sse42 = 1, avx = 2, avx2 = 4, fma = 8, bmi2 = 16, avx512f = 32, avx512vl = 64 };

extern const unsigned needs;

}  // namespace umov::processor
