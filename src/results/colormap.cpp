// The colour maps' tables.
#include "results/colormap.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace umov::results {
namespace {

using Table = std::array<std::uint32_t, 11>;
constexpr Table viridis = {0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e, 0x21918c,
                           0x22a884, 0x44bf70, 0x7ad151, 0xbddf26, 0xfde725};
constexpr Table inferno = {0x000004, 0x160b39, 0x420a68, 0x6a176e, 0x932667, 0xbc3754,
                           0xdd513a, 0xf37819, 0xfca50a, 0xf6d746, 0xfcffa4};

}  // namespace

Color color_at(ColorMap map, double t) {
  const Table& table = map == ColorMap::viridis ? viridis : inferno;
  const double position = std::clamp(std::isnan(t) ? 0.0 : t, 0.0, 1.0) * (table.size() - 1);
  const std::size_t i = std::min<std::size_t>(std::size_t(position), table.size() - 2);
  const double f = position - double(i);
  const Color a = rgb(table[i]), b = rgb(table[i + 1]);
  return {a.r + f * (b.r - a.r), a.g + f * (b.g - a.g), a.b + f * (b.b - a.b)};
}

}  // namespace umov::results
