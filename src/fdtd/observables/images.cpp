// Reflected test waves.
#include "fdtd/observables/images.hpp"

#include <algorithm>

namespace umov::fdtd {

FarWave Image::of(FarWave w) const {
  const double h_sign = flip[0] * flip[1] * flip[2];  // h = K x e is an axial vector
  for (int a = 0; a < 3; ++a) {
    w.k[a] *= flip[a];
    w.difference[a] *= flip[a];
    for (int q = 0; q < 2; ++q) {
      w.e[q][a] *= flip[a];
      w.h[q][a] *= flip[a] * h_sign;
    }
  }
  return w;
}

std::vector<Image> images_of(const Region& region, const Simulation& sim) {
  std::vector<Image> images(1);
  for (int a = 0; a < 3; ++a) {
    if (!region.mirrored[a]) continue;
    const bool even = std::count(sim.walls[a].begin(), sim.walls[a].end(), WallKind::mirror_even) > 0;
    for (std::size_t i = 0, n = images.size(); i < n; ++i) {
      Image flipped = images[i];
      flipped.flip[a] = -1;
      flipped.sign *= even ? 1 : -1;
      images.push_back(flipped);
    }
  }
  return images;
}

}  // namespace umov::fdtd
