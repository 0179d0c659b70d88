// Compiled as all other files are: the compiler's macros say what they use.
#include "processor/needs.hpp"

namespace umov::processor {

const unsigned needs = 0
#ifdef __SSE4_2__
                       | sse42
#endif
#ifdef __AVX__
                       | avx
#endif
#ifdef __AVX2__
                       | avx2
#endif
#ifdef __FMA__
                       | fma
#endif
#ifdef __BMI2__
                       | bmi2
#endif
#ifdef __AVX512F__
                       | avx512f
#endif
#ifdef __AVX512VL__
                       | avx512vl
#endif
    ;

}  // namespace umov::processor
