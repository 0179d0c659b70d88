// Pictures in memory: the model of a run that a viewer may paint in or replace.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace umov::view {

/// 8 bits per channel, rows from the top, pixels red, green, blue, alpha.
struct Pixels {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

/// The largest edge of a picture that is taken.
inline constexpr int longest_edge = 16384;

/// A file of PNG with the same numbers. Throws MachineFailure.
std::string png_of(const Pixels&);

/// Of a file that shapes/picture.hpp reads, TGA by its footer. Throws BadInput for what is none, is damaged,
/// or is longer than `longest_edge` or 64 Mi pixels.
Pixels pixels_of(const std::string& png);

/// A copy in which rectangles (x, y of the upper left corner, width, height; clipped) have one colour. Throws
/// BadInput for a colour beyond 0 to 255.
Pixels painted(Pixels, const std::vector<std::array<int, 4>>& rects, const std::array<int, 3>& rgb);

}  // namespace umov::view
