// Packing of a voxelised particle into bit fields.
#include "dda/scheme/lattice.hpp"

#include "core/error.hpp"

namespace umov::dda {

namespace {
/// ceil(log2 n), the bits that tell n materials apart.
int bits_for(int n) {
  int bits = 0;
  while ((1 << bits) < n) ++bits;
  return bits;
}
}  // namespace

PackedLattice::PackedLattice(const shapes::Particle& p) : box(p.box) {
  bits = bits_for(p.materials);
  per_word = bits ? 32 / bits : 1;
  const std::size_t sites = p.sites();
  occupied.assign((sites + 63) / 64, 0);
  before.assign(occupied.size(), 0);
  std::vector<std::uint8_t> of_dipole;
  if (bits) of_dipole.reserve(p.dipoles());
  for (std::size_t s = 0; s < sites; ++s) {
    if (s % 64 == 0) before[s / 64] = std::uint32_t(dipoles);
    const int m = p.material[s];
    if (m == 0) continue;
    occupied[s / 64] |= std::uint64_t(1) << (s % 64);
    if (bits) of_dipole.push_back(std::uint8_t(m - 1));
    ++dipoles;
  }
  if (dipoles >= (index_t(1) << 32)) throw BadInput("more than 2^32 dipoles; use a coarser grid");
  composition.assign(bits ? (std::size_t(dipoles) + per_word - 1) / per_word : 1, 0);
  for (std::size_t i = 0; i < of_dipole.size(); ++i)
    composition[i / per_word] |= std::uint32_t(of_dipole[i]) << (bits * int(i % per_word));
}

}  // namespace umov::dda
