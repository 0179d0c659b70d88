// Dipoles of a mirror fraction and their images in the whole: parts of every parity, and back.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dda/mirror/fraction.hpp"

namespace umov::dda {

/// Numbers of the dipoles in the whole that the fraction's stand for, and the way there and back.
class Images {
 public:
  Images(const shapes::Particle& whole, const MirrorFraction& fraction);

  /// The part of a field that belongs to the fraction's sector, at the fraction's dipoles.
  std::vector<CVec3> part(std::span<const CVec3> whole) const;
  /// The squares of the norms of the parts that belong to these sectors, each component of each dipole of the
  /// fraction times weights[kind][component]; the same bits for any number of threads.
  std::vector<double> norms(std::span<const CVec3> whole, std::span<const Parity> sectors,
                            std::span<const Vec3> weights) const;
  /// whole += the field of the fraction's sector that these values belong to.
  void add(std::span<const CVec3> part, std::span<CVec3> whole) const;
  /// Values times factor(kind), in place.
  template <class Factor>
  void scale(std::span<CVec3> part, const Factor& factor) const {
    std::vector<double> factors;
    for (const auto& kind : fraction_.kinds) factors.push_back(factor(kind));
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < part.size(); ++i)
      for (auto& v : part[i]) v *= factors[kind_[i]];
  }
  std::size_t dipoles() const { return kind_.size(); }
  int kind(std::size_t dipole) const { return kind_[dipole]; }

 private:
  /// Signs of the components at image number g of mirrors_, in the fraction's sector.
  std::vector<Vec3> signs() const;

  const MirrorFraction& fraction_;
  std::vector<int> mirrors_;          ///< the images there are, as bits of mirrored axes
  std::vector<std::uint8_t> kind_;    ///< of each dipole of the fraction
  std::vector<std::uint32_t> image_;  ///< [dipole][mirrors_]: numbers in the whole
};

}  // namespace umov::dda
