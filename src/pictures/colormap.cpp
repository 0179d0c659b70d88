// The colour maps' tables.
#include "pictures/colormap.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace umov::pictures {
namespace {

using Table = std::array<std::uint32_t, 11>;
constexpr Table viridis = {0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e, 0x21918c,
                           0x22a884, 0x44bf70, 0x7ad151, 0xbddf26, 0xfde725};
constexpr Table inferno = {0x000004, 0x160b39, 0x420a68, 0x6a176e, 0x932667, 0xbc3754,
                           0xdd513a, 0xf37819, 0xfca50a, 0xf6d746, 0xfcffa4};
// Lightness 28 to 100 and back; hue 278 to 252 degrees (blue), 52 to 28 (red); chroma as sRGB allows.
constexpr Table diverging = {0x01437c, 0x0267ad, 0x038edf, 0x5bb5fc, 0xb2dbff, 0xffffff,
                             0xffcbb6, 0xfb9374, 0xe45d47, 0xc02729, 0x8a001c};
// Lightness 100 to 38, hue 262 degrees, little chroma: colours drawn over it stay legible.
constexpr Table slate = {0xffffff, 0xe9eef3, 0xd7dce3, 0xc4cbd4, 0xb2bac5, 0x9faab6,
                         0x8e99a7, 0x7c8998, 0x6b798a, 0x5a6a7c, 0x4a5b6e};

const Table& table_of(ColorMap map) {
  switch (map) {
    case ColorMap::viridis:
      return viridis;
    case ColorMap::inferno:
      return inferno;
    case ColorMap::diverging:
      return diverging;
    case ColorMap::slate:
      return slate;
  }
  return viridis;
}

}  // namespace

Color color_at(ColorMap map, double t) {
  const Table& table = table_of(map);
  const double position = std::clamp(std::isnan(t) ? 0.0 : t, 0.0, 1.0) * (table.size() - 1);
  const std::size_t i = std::min<std::size_t>(std::size_t(position), table.size() - 2);
  const double f = position - double(i);
  const Color a = rgb(table[i]), b = rgb(table[i + 1]);
  return {a.r + f * (b.r - a.r), a.g + f * (b.g - a.g), a.b + f * (b.b - a.b)};
}

}  // namespace umov::pictures
