// The width of a vector register of the processor that this is compiled for.
#pragma once

namespace umov::backend {

/// Bytes of a vector register: a wider vector type would be taken apart element by element.
#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

}  // namespace umov::backend
