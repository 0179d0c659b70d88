// As many elements side by side as a vector register holds, and how they gather from a table.
#pragma once

#include <cstdint>
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "backend/cpu/registers.hpp"

namespace umov::eqs::cpu {

using backend::register_bytes;

template <class T>
struct Lanes {
  static constexpr int count = register_bytes / int(sizeof(T));
  typedef T Vector __attribute__((vector_size(register_bytes)));
};

/// table[place[l]] for every lane l. The masked forms, since gcc 12 warns of its own undefined registers in
/// the others.
inline Lanes<float>::Vector gather(const float* table, const std::uint16_t* place) {
#if defined(__AVX512F__)
  const __m512i index =
      _mm512_maskz_cvtepu16_epi32(0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(place)));
  return Lanes<float>::Vector(_mm512_mask_i32gather_ps(_mm512_setzero_ps(), 0xffff, index, table, 4));
#else
  Lanes<float>::Vector v;
  for (int l = 0; l < Lanes<float>::count; ++l) v[l] = table[place[l]];
  return v;
#endif
}
inline Lanes<double>::Vector gather(const double* table, const std::uint16_t* place) {
#if defined(__AVX512F__)
  const __m256i index = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(place)));
  return Lanes<double>::Vector(_mm512_mask_i32gather_pd(_mm512_setzero_pd(), 0xff, index, table, 8));
#else
  Lanes<double>::Vector v;
  for (int l = 0; l < Lanes<double>::count; ++l) v[l] = table[place[l]];
  return v;
#endif
}

}  // namespace umov::eqs::cpu
