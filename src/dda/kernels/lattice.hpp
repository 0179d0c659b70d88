// Which sites of the box hold a dipole and of what material, as bit fields (Mc Donald et al. 2009, sec. 3).
#pragma once

#include <cstdint>

#if defined(__CUDA_ARCH__)
#define UMOV_POPCOUNT64(x) __popcll(x)
#else
#define UMOV_POPCOUNT64(x) __builtin_popcountll(x)
#endif

#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::dda {

/// View of a particle on a device. Site s = x + nx (y + ny z); dipoles are numbered by occupied site.
/// Occupation takes 1 bit a site plus a 32-bit running count per 64 sites; composition takes
/// ceil(log2 materials) bits a dipole. No coordinates are stored.
struct LatticeView {
  int nx, ny, nz;
  index_t dipoles;
  const std::uint64_t* occupied;     // [ceil(sites/64)]
  const std::uint32_t* before;       // occupied sites before each word
  const std::uint32_t* composition;  // packed, per_word dipoles in each word
  int bits, per_word;                // bits = 0: one material

  UMOV_HD index_t sites() const { return index_t(nx) * ny * nz; }
  UMOV_HD index_t words() const { return (sites() + 63) / 64; }
  UMOV_HD bool has(index_t s) const { return (occupied[s >> 6] >> (s & 63)) & 1u; }
  /// Number of the dipole at an occupied site.
  UMOV_HD index_t dipole(index_t s) const {
    const std::uint64_t below = occupied[s >> 6] & ((std::uint64_t(1) << (s & 63)) - 1);
    return index_t(before[s >> 6]) + UMOV_POPCOUNT64(below);
  }
  UMOV_HD int material(index_t dipole) const {
    if (bits == 0) return 0;
    const std::uint32_t word = composition[dipole / per_word];
    return int((word >> (bits * int(dipole % per_word))) & ((1u << bits) - 1u));
  }
};

/// Calls g(dipole, x, y, z) for the occupied sites of words [first, last).
template <class G>
UMOV_HD inline void for_sites_of_words(const LatticeView& l, index_t first, index_t last, const G& g) {
  for (index_t w = first; w < last; ++w) {
    std::uint64_t bits = l.occupied[w];
    index_t i = l.before[w];
    // divisions once a word: on a GPU they would cost more than most of what g does
    const index_t row = w * 64 / l.nx;
    int start = int(w * 64 - row * l.nx), y = int(row % l.ny), z = int(row / l.ny);
    while (bits) {
      const std::uint64_t lowest = bits & (~bits + 1);
      const int bit = int(UMOV_POPCOUNT64(lowest - 1));
      while (start + bit >= l.nx) {
        start -= l.nx;
        if (++y == l.ny) {
          y = 0;
          ++z;
        }
      }
      g(i++, start + bit, y, z);
      bits ^= lowest;
    }
  }
}

}  // namespace umov::dda
