// Dipoles of a mirror fraction and their images.
#include "dda/mirror/images.hpp"

#include <algorithm>
#include <array>

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

std::vector<Vec3> Images::signs() const {
  std::vector<Vec3> out;
  for (const int g : mirrors_) {
    Vec3 sign{1, 1, 1};
    for (int c = 0; c < 3; ++c)
      for (int a = 0; a < 3; ++a)
        if (g >> a & 1) sign[c] *= component_parity(fraction_.parity, c, a);
    out.push_back(sign);
  }
  return out;
}

std::vector<CVec3> Images::part(std::span<const CVec3> whole) const {
  const std::size_t images = mirrors_.size();
  const auto sign = signs();
  std::vector<CVec3> out(kind_.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < out.size(); ++i) {
    CVec3 sum{};
    for (std::size_t g = 0; g < images; ++g) {
      const CVec3& v = whole[image_[i * images + g]];
      for (int c = 0; c < 3; ++c) sum[c] += sign[g][c] * v[c];
    }
    for (int c = 0; c < 3; ++c) out[i][c] = sum[c] / double(images);
  }
  return out;
}

std::vector<double> Images::norms(std::span<const CVec3> whole, std::span<const Parity> sectors,
                                  std::span<const Vec3> weights) const {
  constexpr std::size_t block = 2048;  // dipoles whose sum one thread forms
  const std::size_t images = mirrors_.size(), blocks = (kind_.size() + block - 1) / block;
  // Sums over the images with all signs at once are a Walsh-Hadamard transform; which of them a component
  // has in a sector.
  std::vector<std::array<std::size_t, 3>> place(sectors.size());
  for (std::size_t s = 0; s < sectors.size(); ++s)
    for (int c = 0; c < 3; ++c) {
      place[s][c] = 0;
      std::size_t bit = 1;
      for (int a = 0; a < 3; ++a) {
        if (!fraction_.planes[a]) continue;
        if (component_parity(sectors[s], c, a) < 0) place[s][c] += bit;
        bit *= 2;
      }
    }
  std::vector<double> sums(blocks * sectors.size());
#pragma omp parallel for schedule(static)
  for (std::size_t b = 0; b < blocks; ++b)
    for (std::size_t i = b * block; i < std::min(kind_.size(), (b + 1) * block); ++i)
      for (int c = 0; c < 3; ++c) {
        cplx v[8];
        for (std::size_t g = 0; g < images; ++g) v[g] = whole[image_[i * images + g]][c];
        for (std::size_t half = 1; half < images; half *= 2)
          for (std::size_t g = 0; g < images; ++g)
            if (!(g & half)) {
              const cplx sum = v[g] + v[g + half], difference = v[g] - v[g + half];
              v[g] = sum;
              v[g + half] = difference;
            }
        const double weight = weights[kind_[i]][c] / double(images * images);
        for (std::size_t s = 0; s < sectors.size(); ++s)
          sums[b * sectors.size() + s] += weight * std::norm(v[place[s][c]]);
      }
  std::vector<double> out(sectors.size());
  for (std::size_t b = 0; b < blocks; ++b)
    for (std::size_t s = 0; s < sectors.size(); ++s) out[s] += sums[b * sectors.size() + s];
  return out;
}

void Images::add(std::span<const CVec3> part, std::span<CVec3> whole) const {
  const std::size_t images = mirrors_.size();
  const auto sign = signs();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < part.size(); ++i) {
    // a dipole on a plane is its own image: each place once
    const double share = double(fraction_.images(fraction_.kinds[kind_[i]])) / double(images);
    for (std::size_t g = 0; g < images; ++g)
      for (int c = 0; c < 3; ++c) whole[image_[i * images + g]][c] += share * sign[g][c] * part[i][c];
  }
}

}  // namespace umov::dda
