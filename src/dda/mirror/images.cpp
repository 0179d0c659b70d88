// Dipoles of a mirror fraction and their images.
#include "dda/mirror/images.hpp"

namespace umov::dda {

Images::Images(const shapes::Particle& whole, const MirrorFraction& fraction) : fraction_(fraction) {
  for (int g = 0; g < 8; ++g) {
    bool there = true;
    for (int a = 0; a < 3; ++a) there &= !(g >> a & 1) || fraction.planes[a];
    if (there) mirrors_.push_back(g);
  }
  const auto site = [](const Int3& box, const Int3& at) {
    return at[0] + std::size_t(box[0]) * (at[1] + std::size_t(box[1]) * at[2]);
  };
  std::vector<std::uint32_t> number(whole.sites());
  std::uint32_t dipoles = 0;
  for (std::size_t s = 0; s < whole.sites(); ++s) {
    number[s] = dipoles;
    dipoles += whole.material[s] != 0;
  }
  const shapes::Particle& part = fraction.particle;
  for (int z = 0; z < part.box[2]; ++z)
    for (int y = 0; y < part.box[1]; ++y)
      for (int x = 0; x < part.box[0]; ++x) {
        const Int3 at{x, y, z};
        const int material = part.material[site(part.box, at)];
        if (material == 0) continue;
        kind_.push_back(std::uint8_t(material - 1));
        for (const int g : mirrors_) {
          Int3 there;
          for (int a = 0; a < 3; ++a) {
            const int up = fraction.axis(a).first() + at[a];
            there[a] = g >> a & 1 ? whole.box[a] - 1 - up : up;
          }
          image_.push_back(number[site(whole.box, there)]);
        }
      }
}

std::vector<CVec3> Images::part(std::span<const CVec3> whole) const {
  const std::size_t images = mirrors_.size();
  std::vector<CVec3> out(kind_.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      cplx sum = 0;
      for (std::size_t g = 0; g < images; ++g)
        sum += double(sign(mirrors_[g], c)) * whole[image_[i * images + g]][c];
      out[i][c] = sum / double(images);
    }
  return out;
}

void Images::add(std::span<const CVec3> part, std::span<CVec3> whole) const {
  const std::size_t images = mirrors_.size();
  for (std::size_t i = 0; i < part.size(); ++i) {
    // a dipole on a plane is its own image: each place once
    const double share = double(fraction_.images(fraction_.kinds[kind_[i]])) / double(images);
    for (std::size_t g = 0; g < images; ++g)
      for (int c = 0; c < 3; ++c)
        whole[image_[i * images + g]][c] += share * double(sign(mirrors_[g], c)) * part[i][c];
  }
}

}  // namespace umov::dda
