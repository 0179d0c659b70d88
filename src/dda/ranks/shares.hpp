// Which frequencies of the product a rank owns.
#pragma once

#include <vector>

#include "core/types.hpp"

namespace umov::dda {

/// Frequencies kx of the tensor's octant that follow each other.
struct FrequencyStretch {
  int first = 0, count = 0;
};
/// What each rank keeps of the octant, [rank]: one stretch behind another. Those of two ranks may overlap.
using KeptFrequencies = std::vector<std::vector<FrequencyStretch>>;
inline int kept_by(const std::vector<FrequencyStretch>& stretches) {
  int sum = 0;
  for (const FrequencyStretch& s : stretches) sum += s.count;
  return sum;
}

/// Planes of constant kx of a transform of gx points, dealt out with their mirror images gx - kx, so that a
/// rank's planes need its stretch of the tensor's octant alone.
struct FrequencyShares {
  /// As many planes each as the octant allows: kx = 0 and gx/2 are one, the others two.
  FrequencyShares(int gx, int ranks);

  /// Planes that follow each other in kx, direct ones or mirror images.
  struct Group {
    int k0 = 0;     ///< the first
    int place = 0;  ///< of it among the rank's own planes
    int width = 0;
  };

  int ranks() const { return int(octant.size()) - 1; }
  int first(int rank) const { return int(octant[std::size_t(rank)]); }
  int stored(int rank) const { return int(octant[std::size_t(rank) + 1]) - first(rank); }
  int planes(int rank) const;
  KeptFrequencies kept() const;
  /// The planes of a rank in groups of `most` or less: direct ones, then mirror images.
  std::vector<Group> groups(int rank, int most) const;

  int gx;
  std::vector<index_t> octant;  ///< borders of the stretches of 0 .. gx/2, [ranks + 1]

 private:
  Group images(int rank) const;
};

}  // namespace umov::dda
