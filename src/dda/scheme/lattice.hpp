// The bit fields of a particle, packed on the host and kept on a device.
#pragma once

#include <vector>

#include "dda/kernels/lattice.hpp"
#include "shapes/particle.hpp"

namespace umov::dda {

/// Host side of LatticeView: packs a voxelised particle.
struct PackedLattice {
  explicit PackedLattice(const shapes::Particle& p);
  Int3 box;
  index_t dipoles = 0;
  int bits = 0, per_word = 1;
  std::vector<std::uint64_t> occupied;
  std::vector<std::uint32_t> before, composition;
};

/// Owner of a LatticeView's memory on device `Dev`.
template <class Dev>
class DeviceLattice {
 public:
  DeviceLattice(Dev& dev, const PackedLattice& p)
      : occupied_(dev.template allocate<std::uint64_t>(p.occupied.size())),
        before_(dev.template allocate<std::uint32_t>(p.before.size())),
        composition_(dev.template allocate<std::uint32_t>(p.composition.size())) {
    dev.upload(occupied_.data(), p.occupied.data(), p.occupied.size());
    dev.upload(before_.data(), p.before.data(), p.before.size());
    dev.upload(composition_.data(), p.composition.data(), p.composition.size());
    view_ = {p.box[0], p.box[1],  p.box[2], p.dipoles, occupied_.data(), before_.data(), composition_.data(),
             p.bits,   p.per_word};
  }
  const LatticeView& view() const { return view_; }
  std::size_t bytes() const { return occupied_.bytes() + before_.bytes() + composition_.bytes(); }

 private:
  typename Dev::template Array<std::uint64_t> occupied_;
  typename Dev::template Array<std::uint32_t> before_, composition_;
  LatticeView view_{};
};

}  // namespace umov::dda
