// Mirror planes of a voxelised particle and the fraction above them.
#include "dda/mirror/fraction.hpp"

#include <cmath>

#include "dda/scheme/memory.hpp"

namespace umov::dda {

namespace {

std::size_t site(const Int3& box, const Int3& at) {
  return at[0] + std::size_t(box[0]) * (at[1] + std::size_t(box[1]) * at[2]);
}

template <class F>
void for_sites(const Int3& box, const F& f) {
  for (int z = 0; z < box[2]; ++z)
    for (int y = 0; y < box[1]; ++y)
      for (int x = 0; x < box[0]; ++x) f(Int3{x, y, z});
}

bool is_own_image(const shapes::Particle& p, int axis) {
  const Int3& box = p.box;
  const std::size_t inner = axis == 0 ? 1 : axis == 1 ? box[0] : std::size_t(box[0]) * box[1];
  const std::size_t length = box[axis], outer = p.sites() / (inner * length);
  for (std::size_t o = 0; o < outer; ++o)
    for (std::size_t i = 0; i < length / 2; ++i) {
      const auto* here = p.material.data() + (o * length + i) * inner;
      const auto* there = p.material.data() + (o * length + length - 1 - i) * inner;
      for (std::size_t k = 0; k < inner; ++k)
        if (here[k] != there[k]) return false;
    }
  return true;
}

}  // namespace

int MirrorFraction::images(const Kind& kind) const {
  int images = all_images();
  for (int a = 0; a < 3; ++a)
    if (kind.on_plane[a]) images /= 2;
  return images;
}

Vec3 MirrorFraction::weights(const Kind& kind) const {
  const double w = std::sqrt(double(images(kind)) / all_images());
  Vec3 weights{w, w, w};
  for (int a = 0; a < 3; ++a)
    for (int c = 0; c < 3; ++c)
      if (kind.on_plane[a] && component_parity(parity, c, a) < 0) weights[c] = 0;
  return weights;
}

Planes mirror_planes(const shapes::Particle& particle) {
  constexpr int most_materials = 31;  // times eight sets of planes: still numbered by one byte
  Planes planes{};
  if (particle.materials > most_materials) return planes;
  for (int a = 0; a < 3; ++a) planes[a] = particle.box[a] > 1 && is_own_image(particle, a);
  return planes;
}

MirrorFraction take_fraction(const shapes::Particle& whole, const Planes& planes) {
  MirrorFraction f;
  f.whole = whole.box;
  f.planes = planes;
  for (int a = 0; a < 3; ++a) f.parity[a] = planes[a] ? 1 : 0;
  shapes::Particle& part = f.particle;
  part.spacing = whole.spacing;
  for (int a = 0; a < 3; ++a) part.box[a] = planes[a] ? (whole.box[a] + 1) / 2 : whole.box[a];
  part.material.assign(part.sites(), 0);
  std::vector<int> number(std::size_t(8) * (whole.materials + 1), 0);  // of a kind, from 1
  for_sites(part.box, [&](const Int3& at) {
    Int3 there;
    int set = 0;
    for (int a = 0; a < 3; ++a) {
      there[a] = f.axis(a).first() + at[a];
      if (f.axis(a).on_plane(there[a])) set |= 1 << a;
    }
    const int material = whole.material[site(whole.box, there)];
    if (material == 0) return;
    int& kind = number[std::size_t(8) * material + set];
    if (kind == 0) {
      f.kinds.push_back({material - 1, {(set & 1) != 0, (set & 2) != 0, (set & 4) != 0}});
      part.dipoles_per_material.push_back(0);
      kind = int(f.kinds.size());
    }
    part.material[site(part.box, at)] = std::uint8_t(kind);
    ++part.dipoles_per_material[kind - 1];
  });
  part.materials = int(f.kinds.size());
  return f;
}

std::vector<Parity> sectors_of(const Planes& planes) {
  std::vector<Parity> list{{0, 0, 0}};
  for (int a = 0; a < 3; ++a) {
    if (!planes[a]) continue;
    std::vector<Parity> both;
    for (Parity p : list)
      for (const int sign : {1, -1}) {
        p[a] = sign;
        both.push_back(p);
      }
    list = both;
  }
  return list;
}

Int3 folded_grid(const Int3& box, const Int3& given, const Planes& planes) {
  Int3 grid = transform_grid(box, given);
  for (int a = 0; a < 3; ++a) {
    if (given[a] != 0 || !planes[a] || box[a] % 2 != 0) continue;
    while (grid[a] % 4 != 0) grid[a] = next_fast_length(grid[a] + 1);
  }
  return grid;
}

}  // namespace umov::dda
